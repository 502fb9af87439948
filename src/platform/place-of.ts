/** Whoever an address stands for: whoever has one of IPv6 has all of its /64. */
export function placeOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':');
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A length of time in words, by its two greatest units: `3 hours 20 minutes`. Takes milliseconds. */
export function inWords(length: number): string {
  let left = Math.max(0, Math.round(length / 1000)) * 1000;
  const first = UNITS.findIndex(([, size]) => left >= size);
  if (first < 0) return '0 seconds';
  const parts: string[] = [];
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

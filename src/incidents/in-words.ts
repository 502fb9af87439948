const UNITS = [
  [86_400_000, 'day', '天'],
  [3_600_000, 'hour', '小时'],
  [60_000, 'minute', '分钟'],
  [1000, 'second', '秒'],
] as const;

/** A length of time in words, by its two greatest units: `3 hours 20 minutes`, `3 小时 20 分钟`. Takes milliseconds. */
export function inWords(length: number, locale: 'en' | 'zh' = 'en'): string {
  let left = Math.max(0, Math.round(length / 1000)) * 1000;
  const found = UNITS.findIndex(([size]) => left >= size);
  const first = found < 0 ? UNITS.length - 1 : found;
  const parts: string[] = [];
  for (const [size, en, zh] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 || found < 0) parts.push(locale === 'zh' ? `${count} ${zh}` : `${count} ${en}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

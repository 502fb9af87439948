const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a duration such as `90s`, `30m`, `24h`, `7d` or `0`; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * SECONDS[unit!]!;
}

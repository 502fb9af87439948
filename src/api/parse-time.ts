const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** The first moment of the year 1: PostgreSQL knows no year 0. Milliseconds since the epoch. */
export const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
/** The end of the year 9999: RFC 3339 has no form for what comes after. */
const END = Date.parse('+010000-01-01T00:00:00Z');

/** How a time has to be written, for those who wrote it otherwise. */
export const TIME_FORM = 'a time in RFC 3339 form with a time zone, such as 2026-11-20T08:30:00Z, in the years 1 to 9999 (UTC)';

/**
 * Milliseconds since the epoch of a time in RFC 3339 form with a time zone; NaN for anything else, a day that no month has and
 * a moment out of the years 1 to 9999 (UTC) included.
 */
export function parseTime(value: unknown): number {
  const [, year, month, day] = (typeof value === 'string' && RFC3339.exec(value)) || [];
  if (day === undefined) return NaN;
  // `Date.parse` takes 30 February for 2 March.
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const time = midnight.getUTCDate() === Number(day) ? Date.parse(value as string) : NaN;
  return time >= EARLIEST && time < END ? time : NaN;
}

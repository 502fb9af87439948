const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** Milliseconds since the epoch of a time in RFC 3339 form with a time zone; NaN for anything else, a day that no month has included. */
export function parseTime(value: unknown): number {
  const [, year, month, day] = (typeof value === 'string' && RFC3339.exec(value)) || [];
  if (day === undefined) return NaN;
  // `Date.parse` takes 30 February for 2 March.
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return midnight.getUTCDate() === Number(day) ? Date.parse(value as string) : NaN;
}

/** Limits of repeating. */
export interface RetryLimits {
  /** Most attempts. */
  attempts: number;
  /** Pause after the first one, milliseconds. */
  first: number;
  /** Most time since a message was queued, milliseconds. */
  age: number;
}

/** Longest pause of our own, milliseconds. */
const LONGEST = 3_600_000;
/** Longest pause that a receiver may ask for, milliseconds. */
const LONGEST_ASKED = 6 * 3_600_000;

/**
 * Pause before the next attempt, milliseconds: doubled with each, a random fifth more or less so that many do not come together again, and at
 * least what the receiver asked for. `chance` is from 0 to 1.
 */
export function backOff(attempts: number, first: number, chance: number, asked: number | undefined): number {
  const own = Math.min(LONGEST, first * 2 ** Math.min(30, attempts - 1)) * (0.8 + 0.4 * chance);
  return Math.round(Math.max(own, Math.min(asked ?? 0, LONGEST_ASKED)));
}

/** Reads a Retry-After header, seconds or a date, as milliseconds from now; undefined for none and for one that makes no sense. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

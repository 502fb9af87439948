import type { WatchTiming } from './followed-cluster.js';

/** A server may ask to be left alone, but not for longer than this, milliseconds. */
const LONGEST_WISH = 300_000;

/**
 * How long to wait after so many failures in a row, milliseconds: doubled each time up to the longest, of which a half to
 * the whole by chance, so that many clusters behind one broken network do not come back in the same moment. What the server asked
 * for is kept at least.
 */
export function delayAfter(
  failures: number,
  { firstDelayMs, longestDelayMs }: Pick<WatchTiming, 'firstDelayMs' | 'longestDelayMs'>,
  chance: number,
  retryAfterMs = 0,
): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return Math.round(Math.max(full * (0.5 + chance / 2), Math.min(retryAfterMs, LONGEST_WISH)));
}

import type { Measures } from '../../store/queries/find-series.js';

/** Sums over buckets. */
export interface Totals {
  /** Null where it is not known. */
  occurrences: number | null;
  /** Periods of incidents that began. */
  episodes: number;
  opened: number;
  reopened: number;
  resolved: number;
  /** Mean time to resolve of those that ended, seconds; null when none did. */
  meanSecondsToResolve: number | null;
}

/** Adds up what happened in some buckets. */
export function sumMeasures(buckets: readonly Measures[]): Totals {
  let occurrences: number | null = 0;
  let [opened, reopened, resolved, resolveMs] = [0, 0, 0, 0];
  for (const bucket of buckets) {
    occurrences = occurrences === null || bucket.occurrences === null ? null : occurrences + bucket.occurrences;
    opened += bucket.opened;
    reopened += bucket.reopened;
    resolved += bucket.resolved;
    resolveMs += bucket.resolveMs;
  }
  return totalsOf({ occurrences, opened, reopened, resolved, resolveMs });
}

/** What follows from the sums of a bucket. */
export function totalsOf({ occurrences, opened, reopened, resolved, resolveMs }: Measures): Totals {
  const meanSecondsToResolve = resolved === 0 ? null : resolveMs / resolved / 1000;
  return { occurrences, episodes: opened + reopened, opened, reopened, resolved, meanSecondsToResolve };
}

/** How much more there is than before, as a part of before: 0.5 is half as much again, -1 nothing any more; null when there was nothing. */
export function relativeChange(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : (now - before) / before;
}

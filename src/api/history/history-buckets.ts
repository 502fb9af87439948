import type { Series } from '../../store/queries/find-series.js';
import type { HistoryRange } from './history-range.js';
import type { Totals } from './sum-measures.js';
import { totalsOf } from './sum-measures.js';

/** What happened in one bucket. Times are milliseconds since the epoch. */
export interface HistoryBucket extends Totals {
  from: number;
  to: number;
  /** Incidents that were open at its end. */
  open: number | null;
}

/** The buckets of a range, of sums whose first bucket is the period before. */
export function historyBuckets({ buckets, open }: Series, { edges }: HistoryRange): HistoryBucket[] {
  return edges.slice(1).map((to, i) => {
    const { occurrences, episodes, opened, reopened, resolved, meanSecondsToResolve } = totalsOf(buckets[i + 1]!);
    // One by one: thousands of them are made for an answer, and spreading takes five times as long.
    return { from: edges[i]!, to, open: open[i + 1] ?? null, occurrences, episodes, opened, reopened, resolved, meanSecondsToResolve };
  });
}

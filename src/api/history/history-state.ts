/** How a range relates to what came before it. */
export type HistoryState = 'NEW' | 'CAME_BACK' | 'ONGOING' | 'QUIET' | 'NEVER_SEEN';

/** What decides about the state. Times are milliseconds since the epoch. */
export interface StateFacts {
  from: number;
  to: number;
  /** Of the incidents that are kept; null when there are none. */
  firstSeenAt: number | null;
  /** Whether it happened or was open in the range. */
  inRange: boolean;
  /** Whether it happened or was open in the period before. */
  inPrevious: boolean;
}

/** Tells whether something is new in a range, came back after a whole period without it, goes on, or is not there. */
export function historyState({ from, to, firstSeenAt, inRange, inPrevious }: StateFacts): HistoryState {
  // Sums outlive incidents: something may have happened of which no first time is known any more.
  if (inRange && inPrevious) return 'ONGOING';
  if (inRange) return firstSeenAt !== null && firstSeenAt < from ? 'CAME_BACK' : 'NEW';
  return inPrevious || (firstSeenAt !== null && firstSeenAt < to) ? 'QUIET' : 'NEVER_SEEN';
}

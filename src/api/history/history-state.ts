/** How a range relates to what came before it. */
export type HistoryState = 'NEW' | 'CAME_BACK' | 'ONGOING' | 'QUIET' | 'NEVER_SEEN';

/** What decides about the state. Times are milliseconds since the epoch. */
export interface StateFacts {
  from: number;
  to: number;
  /** Ever; null when it was never seen. */
  firstSeenAt: number | null;
  /** Whether it happened or was open in the range. */
  inRange: boolean;
  /** Whether it happened or was open in the period before. */
  inPrevious: boolean;
}

/** Tells whether something is new in a range, came back after a whole period without it, goes on, or is not there. */
export function historyState({ from, to, firstSeenAt, inRange, inPrevious }: StateFacts): HistoryState {
  if (firstSeenAt === null || firstSeenAt >= to) return 'NEVER_SEEN';
  if (!inRange) return 'QUIET';
  if (firstSeenAt >= from) return 'NEW';
  return inPrevious ? 'ONGOING' : 'CAME_BACK';
}

/** Columns of every roll-up that say how much of something happened in a cell. */
export const ROLLUP_MEASURES = ['occurrences', 'opened', 'reopened', 'resolved', 'resolve_ms'] as const;

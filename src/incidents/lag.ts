/** Upper bounds of how late events come, in seconds. The last one also stands for everything beyond it. */
export const LAG_BOUNDS: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400];

/** Counts how late events came, by the bounds; times in milliseconds since the epoch. One from the future is not late. */
export function countLags(happened: readonly number[], receivedAt: number): number[] {
  const counts = LAG_BOUNDS.map(() => 0);
  for (const at of happened) {
    const seconds = (receivedAt - at) / 1000;
    const bucket = LAG_BOUNDS.findIndex((bound) => seconds <= bound);
    counts[bucket < 0 ? counts.length - 1 : bucket]!++;
  }
  return counts;
}

/**
 * The lateness, in seconds, that a share of the events did not exceed, rounded up to the next bound; null when there are
 * none.
 */
export function lagOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= total * share);
  return LAG_BOUNDS[bucket] ?? null;
}

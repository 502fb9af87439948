/** A problem coming to a cluster in which it had not been open for a while. `at` in milliseconds since the epoch. */
export interface Arrival {
  problemId: string;
  cluster: string;
  at: number;
}

/** A problem that came to several clusters within a window. */
export interface Spread {
  problemId: string;
  /** The arrivals in the order in which they happened, one for each cluster. */
  arrivals: Arrival[];
}

/**
 * Finds for each problem the window in which it came to the most clusters, the latest of equals; only those with at least
 * `least` clusters. Most clusters first, then the latest.
 *
 * @param window milliseconds from the first arrival to the last, both included
 */
export function spreadsOf(arrivals: readonly Arrival[], window: number, least: number): Spread[] {
  const byProblem = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const list = byProblem.get(arrival.problemId);
    if (list) list.push(arrival);
    else byProblem.set(arrival.problemId, [arrival]);
  }
  return [...byProblem]
    .map(([problemId, list]): Spread => ({ problemId, arrivals: widest(list.sort(compareArrivals), window) }))
    .filter((spread) => spread.arrivals.length >= least)
    .sort((a, b) => b.arrivals.length - a.arrivals.length || b.arrivals[0]!.at - a.arrivals[0]!.at || (a.problemId < b.problemId ? -1 : 1));
}

/** The first arrival in each cluster of the window with the most clusters. */
function widest(sorted: readonly Arrival[], window: number): Arrival[] {
  const inside = new Map<string, number>();
  let [best, start, most] = [0, 0, 0];
  let end = 0;
  for (const [i, { cluster, at }] of sorted.entries()) {
    inside.set(cluster, (inside.get(cluster) ?? 0) + 1);
    for (; sorted[start]!.at < at - window; start++) leave(inside, sorted[start]!.cluster);
    if (inside.size >= most) [most, best, end] = [inside.size, start, i];
  }
  const seen = new Set<string>();
  return sorted.slice(best, end + 1).filter(({ cluster }) => !seen.has(cluster) && seen.add(cluster));
}

function leave(inside: Map<string, number>, cluster: string): void {
  const left = inside.get(cluster)! - 1;
  if (left === 0) inside.delete(cluster);
  else inside.set(cluster, left);
}

function compareArrivals(a: Arrival, b: Arrival): number {
  return a.at - b.at || (a.cluster < b.cluster ? -1 : 1);
}

/** One delivery of an Event that showed a problem: how far its count had grown, when, and on which affected object. */
export interface Observation {
  count: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Key of the affected object. */
  affected: string;
}

/** An observation with what it adds to the one before it. */
export interface Sighting extends Observation {
  /** Happenings that it stands for beyond the observation before it. */
  growth: number;
  /** Since when the sender's count leaves no room for a pause as long as the problem's quiet time; `at` when it may. */
  since: number;
}

/** Order of an Event's own life: its count only grows. */
export function compareObservations(a: Observation, b: Observation): number {
  return a.count - b.count || a.at - b.at || (a.affected < b.affected ? -1 : a.affected > b.affected ? 1 : 0);
}

/**
 * Turns all observations of one Event (each once) into sightings. Occurrences are the growth of the highest count, so
 * counts 3 and 5 are five occurrences, in whatever order they came. `before` is the observation that precedes them all.
 */
export function assignGrowth(
  observations: readonly Observation[],
  quietOf: (affected: string) => number | null,
  before?: Observation,
): Sighting[] {
  let previous = before;
  return [...observations].sort(compareObservations).map((observation) => {
    // What lies before `before` is counted there already.
    const growth = Math.max(0, observation.count - (previous?.count ?? 0));
    const sighting = { ...observation, growth, since: sinceOf(observation, previous, growth, quietOf(observation.affected)) };
    if (!previous || observation.count >= previous.count) previous = observation;
    return sighting;
  });
}

function sinceOf(next: Observation, previous: Observation | undefined, growth: number, quiet: number | null): number {
  if (!previous || growth < 1 || quiet === null || previous.affected !== next.affected || previous.at >= next.at) return next.at;
  return (next.at - previous.at) / growth <= quiet ? previous.at : next.at;
}

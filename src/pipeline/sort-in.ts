import type { Observation, Sighting } from '../incidents/assign-growth.js';
import { assignGrowth, compareObservations } from '../incidents/assign-growth.js';
import { distinct } from '../incidents/observe.js';

/** What late observations of one Event change: sightings to write, and what each replaces. */
export interface SortedIn {
  /** Sightings that are new, or whose growth or span changed. */
  changed: Sighting[];
  /** Sightings that are new. */
  added: Sighting[];
  /** The stored form of those in `changed` that are not new. */
  replaced: Sighting[];
}

/** Merges late observations of an Event into its stored sightings. */
export function sortIn(stored: readonly Sighting[], late: readonly Observation[], quietOf: (affected: string) => number | null): SortedIn {
  const id = ({ count, at, affected }: Observation): string => `${count} ${at} ${affected}`;
  const known = new Map(stored.map((sighting) => [id(sighting), sighting]));
  const fresh = late.filter((observation) => !known.has(id(observation)));
  if (fresh.length === 0) return { changed: [], added: [], replaced: [] };
  const all = assignGrowth(distinct([...stored, ...fresh]), quietOf, droppedBefore(stored));
  const changed = all.filter((sighting) => {
    const before = known.get(id(sighting));
    return !before || before.growth !== sighting.growth || before.since !== sighting.since;
  });
  return {
    changed,
    added: changed.filter((sighting) => !known.has(id(sighting))),
    replaced: changed.flatMap((sighting) => known.get(id(sighting)) ?? []),
  };
}

/** Stands for what retention has dropped: the count from which the first stored sighting grew. */
function droppedBefore(stored: readonly Sighting[]): Observation | undefined {
  const first = [...stored].sort(compareObservations)[0];
  const count = first ? first.count - first.growth : 0;
  return first && count > 0 ? { count, at: first.since, affected: first.affected } : undefined;
}

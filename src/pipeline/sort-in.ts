import type { Observation, Sighting } from '../incidents/assign-growth.js';
import { assignGrowth, compareObservations } from '../incidents/assign-growth.js';
import type { EventKey } from '../incidents/observe.js';
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

/** Merges late observations of an Event into its stored sightings; `key` is what the Event is remembered by. */
export function sortIn(
  stored: readonly Sighting[],
  late: readonly Observation[],
  key: Pick<EventKey, 'count' | 'lastAt' | 'affected'> | undefined,
  quietOf: (affected: string) => number | null,
): SortedIn {
  const id = ({ count, at, affected }: Observation): string => `${count} ${at} ${affected}`;
  const known = new Map(stored.map((sighting) => [id(sighting), sighting]));
  const fresh = late.filter((observation) => !known.has(id(observation)));
  if (fresh.length === 0) return { changed: [], added: [], replaced: [] };
  const all = assignGrowth(distinct([...stored, ...fresh]), quietOf, droppedBefore(stored, key));
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

/** Stands for what retention has dropped: the count that the stored sightings do not account for. */
function droppedBefore(stored: readonly Sighting[], key: Parameters<typeof sortIn>[2]): Observation | undefined {
  const remembered: Observation | undefined = key?.affected ? { count: key.count, at: key.lastAt, affected: key.affected } : undefined;
  const inOrder = [...stored].sort(compareObservations);
  const highest = Math.max(remembered?.count ?? 0, inOrder.at(-1)?.count ?? 0);
  const count = inOrder.reduce((left, { growth }) => left - growth, highest);
  if (count <= 0) return undefined;
  const first = inOrder.find(({ growth }) => growth > 0);
  return first ? { count, at: first.since, affected: first.affected } : remembered && { ...remembered, count };
}

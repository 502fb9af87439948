import type { Sighting } from '../incidents/assign-growth.js';
import type { EventUpdate } from '../incidents/observe.js';
import type { SortedIn } from './sort-in.js';

/** What a batch adds to one affected object. */
export interface NewMarks {
  /** Sightings that are new. */
  sightings: Sighting[];
  /** From when on stored sightings changed, so that the periods have to be derived anew, milliseconds since the epoch; Infinity for none. */
  rewrittenFrom: number;
  occurrences: number;
  /** Occurrences by start of the quarter of an hour, milliseconds since the epoch. */
  quarters: Map<number, number>;
}

/** A sighting to write, with the Event that it belongs to. */
export type EventSighting = Sighting & { uid: string };

/** Marks of a batch by affected object, and the sightings to write. */
export interface GatheredMarks {
  byAffected: Map<string, NewMarks>;
  written: EventSighting[];
}

const QUARTER = 900_000;

/** Collects the sightings of all Events of a batch by affected object. */
export function gatherMarks(updates: readonly EventUpdate[], sortedIn: ReadonlyMap<string, SortedIn>): GatheredMarks {
  const byAffected = new Map<string, NewMarks>();
  const written: EventSighting[] = [];
  const of = (affected: string): NewMarks => {
    const known = byAffected.get(affected);
    if (known) return known;
    const created: NewMarks = { sightings: [], rewrittenFrom: Infinity, occurrences: 0, quarters: new Map() };
    byAffected.set(affected, created);
    return created;
  };
  const add = ({ affected, at, growth }: Sighting, sign: 1 | -1): void => {
    if (growth === 0) return;
    const marks = of(affected);
    const quarter = Math.floor(at / QUARTER) * QUARTER;
    marks.occurrences += sign * growth;
    marks.quarters.set(quarter, (marks.quarters.get(quarter) ?? 0) + sign * growth);
  };
  for (const { uid, sightings } of updates) {
    const late = sortedIn.get(uid);
    for (const sighting of [...sightings, ...(late?.changed ?? [])]) {
      add(sighting, 1);
      written.push({ uid, ...sighting });
    }
    for (const sighting of [...sightings, ...(late?.added ?? [])]) of(sighting.affected).sightings.push(sighting);
    for (const sighting of late?.replaced ?? []) add(sighting, -1);
    const rewritten = new Set(late?.replaced.map(({ affected }) => affected));
    for (const { affected, since } of rewritten.size > 0 ? [...late!.replaced, ...late!.changed] : []) {
      if (rewritten.has(affected)) of(affected).rewrittenFrom = Math.min(of(affected).rewrittenFrom, since);
    }
  }
  return { byAffected, written };
}

import { affectedKeyOf } from './affected.js';
import type { Observation, Sighting } from './assign-growth.js';
import { assignGrowth, compareObservations } from './assign-growth.js';
import type { Delivery } from './delivery.js';
import { subjectOf } from './subject-of.js';

/** What is already known of an Event: its delivery with the highest count. */
export interface EventKey {
  uid: string;
  count: number;
  /** First happening that that delivery named. */
  firstAt: number;
  lastAt: number;
  /** Affected object that it showed; null when it showed no problem. */
  affected: string | null;
  /** How well it knew the subject; see `Subject.rank`. */
  subjectRank: number;
}

/** All deliveries of one Event in a batch, and what they add to what is known. */
export interface EventUpdate {
  uid: string;
  /** The delivery that the Event is now remembered by; undefined when nothing newer came. */
  newest?: Delivery;
  /** Sightings that can be added as they are. Empty when `late` is set. */
  sightings: Sighting[];
  /** Observations that have to be merged with the stored ones, because they may lie before the known delivery. */
  late: Observation[];
}

/** Result of looking at a batch. */
export interface Observed {
  /** One per Event that something was told of. */
  updates: EventUpdate[];
  /** Parallel to the deliveries: true when the Event was new or had grown. */
  accepted: boolean[];
  /** The deliveries that may tell something; the rest repeats what is known. */
  told: Delivery[];
}

/**
 * Compares deliveries with what is known of their Events. An Event is one object whose count grows: only growth is new.
 * `quietOf` gives the quiet time of an affected object's problem in milliseconds, null for none.
 */
export function observe(
  deliveries: readonly Delivery[],
  keys: ReadonlyMap<string, EventKey>,
  quietOf: (affected: string) => number | null,
): Observed {
  const accepted: boolean[] = [];
  const told = new Map<string, Delivery[]>();
  const highest = new Map<string, number>();
  for (const delivery of deliveries) {
    const { uid, count } = delivery.event;
    const key = keys.get(uid);
    const before = highest.get(uid) ?? key?.count ?? 0;
    accepted.push(count > before);
    if (count > before) highest.set(uid, count);
    if (tellsNothing(delivery, key, before)) continue;
    const group = told.get(uid);
    if (group) group.push(delivery);
    else told.set(uid, [delivery]);
  }
  const updates = [...told].map(([uid, group]) => updateOf(uid, group, keys.get(uid), quietOf));
  return { updates, accepted, told: [...told.values()].flat() };
}

function updateOf(
  uid: string,
  told: readonly Delivery[],
  key: EventKey | undefined,
  quietOf: (affected: string) => number | null,
): EventUpdate {
  const known = key && { count: key.count, at: key.lastAt, affected: key.affected ?? '' };
  const newest = told.reduce<Delivery | undefined>((best, next) => (!best || compareDeliveries(next, best) > 0 ? next : best), undefined);
  const remembered = newest && (!key || isNewer(newest, key)) ? newest : undefined;
  const observations = distinct(told.flatMap((delivery) => observationsOf(delivery, key)));
  const inOrder = !known || (known.affected !== '' && observations.every((observation) => compareObservations(observation, known) > 0));
  return {
    uid,
    ...(remembered && { newest: remembered }),
    sightings: inOrder ? assignGrowth(observations, quietOf, known) : [],
    late: inOrder ? [] : observations,
  };
}

/** The very delivery that is remembered, or one without any time that adds no count to the `highest`. */
function tellsNothing(delivery: Delivery, key: EventKey | undefined, highest: number): boolean {
  const { event } = delivery;
  if (!event.timed && event.count <= highest) return true;
  // Another sender may know of an ending that the remembered delivery did not tell: that the object is deleted.
  if (!key || delivery.signals.length > 0) return false;
  const same = event.count === key.count && event.lastAt === key.lastAt && event.firstAt === key.firstAt;
  return same && (affectedKeyOf(delivery) ?? null) === key.affected && subjectOf(event).rank <= key.subjectRank;
}

/** Later in the life of the Event, or the same and with a better idea of whom it concerns, or of when it began. */
function isNewer(delivery: Delivery, key: EventKey): boolean {
  const order =
    compareObservations(asObservation(delivery), { count: key.count, at: key.lastAt, affected: key.affected ?? '' }) ||
    subjectOf(delivery.event).rank - key.subjectRank ||
    key.firstAt - delivery.event.firstAt;
  return order > 0;
}

function asObservation(delivery: Delivery): Observation {
  return { count: delivery.event.count, at: delivery.event.lastAt, affected: affectedKeyOf(delivery) ?? '' };
}

/** Total order of deliveries, so that the same one is remembered whatever the order of arrival. */
function compareDeliveries(a: Delivery, b: Delivery): number {
  return (
    compareObservations(asObservation(a), asObservation(b)) ||
    subjectOf(a.event).rank - subjectOf(b.event).rank ||
    b.event.firstAt - a.event.firstAt ||
    compareText(a.event.message, b.event.message)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An Event that has happened more than once also tells of its first happening. */
function observationsOf(delivery: Delivery, key: EventKey | undefined): Observation[] {
  const affected = affectedKeyOf(delivery);
  if (affected === undefined) return [];
  const { count, firstAt, lastAt } = delivery.event;
  const latest = { count, at: lastAt, affected };
  if (count === 1 && firstAt === lastAt) return [latest];
  const firstIsKnown = key !== undefined && key.affected === affected && key.firstAt === firstAt;
  return firstIsKnown ? [latest] : [{ count: 1, at: firstAt, affected }, latest];
}

/** Removes observations that say the same. */
export function distinct<T extends Observation>(observations: readonly T[]): T[] {
  const seen = new Set<string>();
  return observations.filter(({ count, at, affected }) => {
    const id = `${count} ${at} ${affected}`;
    return !seen.has(id) && seen.add(id);
  });
}

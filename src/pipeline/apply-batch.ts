import type { Affected } from '../incidents/affected.js';
import { affectedKey, affectedKeyOf, clearMark, endsBy } from '../incidents/affected.js';
import type { Delivery, Signal } from '../incidents/delivery.js';
import type { Followed } from '../incidents/follow-affected.js';
import { comesInOrder, followAnew, followOn } from '../incidents/follow-affected.js';
import { observe } from '../incidents/observe.js';
import type { Mark } from '../incidents/timeline.js';
import type { StoredAffected } from '../store/statements/find-affected.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { GatheredMarks, NewMarks } from './gather-marks.js';
import { gatherMarks } from './gather-marks.js';
import { groupBy } from './group-by.js';
import type { SeenAffected } from './plan-affected.js';
import { seenAffected } from './plan-affected.js';
import { sortIn } from './sort-in.js';
import type { AffectedChange } from './write-changes.js';
import { writeChanges } from './write-changes.js';
import { writeEvents, writeRollups } from './write-events.js';

/** What an event told: `accepted` for a new or grown Event, `merged` for one already known. */
export interface Applied {
  /** Parallel to the deliveries. */
  accepted: boolean[];
}

/**
 * Applies one batch of one cluster: the order of the steps from deliveries to stored incidents. A fixed number of
 * statements whatever the size of the batch; the result does not depend on how deliveries are cut into batches.
 */
export async function applyBatch(
  transaction: IntakeTransaction,
  deliveries: readonly Delivery[],
  severityOf: (problemId: string) => string,
  now: number = transaction.now,
): Promise<Applied> {
  const keys = await transaction.findEventKeys([...new Set(deliveries.map(({ event }) => event.uid))]);
  const quietOfBatch = new Map(deliveries.map((delivery) => [affectedKeyOf(delivery), delivery.sighted?.ending.quiet ?? null]));
  const { updates, accepted, told } = observe(deliveries, keys, (key) => quietOfBatch.get(key) ?? null);
  const seen = seenAffected(told);
  const signals = await transaction.insertSignals(told.flatMap((delivery) => delivery.signals));

  const lateUids = updates.filter(({ late }) => late.length > 0).map(({ uid }) => uid);
  const stored = await transaction.findEventSightings(lateUids);
  const objectKeys = new Set([...seen.values(), ...signals, ...[...stored.values()].flat()].map(({ objectKey }) => objectKey));
  const affected = new Map((await transaction.findAffected([...objectKeys])).map((row) => [affectedKey(row), row]));
  const quietOf = (key: string): number | null => (seen.get(key)?.sighted.ending ?? affected.get(key)?.ending)?.quiet ?? null;
  const sortedIn = new Map(
    updates.filter(({ late }) => late.length > 0).map(({ uid, late }) => [uid, sortIn(stored.get(uid) ?? [], late, quietOf)]),
  );
  const marks = gatherMarks(updates, sortedIn);

  const idOf = new Map([...affected].map(([key, { id }]) => [key, id]));
  await writeSightings(transaction, marks, idOf, (key) => affected.has(key));
  const changes = await follow(transaction, { marks, seen, affected, signals, now });
  const incidents = await writeChanges(transaction, changes);
  for (const [key, id] of incidents.affectedIds) idOf.set(key, id);
  await writeSightings(transaction, marks, idOf, (key) => !affected.has(key));
  await writeEvents(transaction, updates, keys, idOf, (key) => incidents.incidentOf.get(key) ?? affected.get(key)?.incidentId ?? null);
  await writeRollups(transaction, changes, severityOf);
  return { accepted };
}

async function writeSightings(
  transaction: IntakeTransaction,
  marks: GatheredMarks,
  idOf: ReadonlyMap<string, string>,
  which: (affected: string) => boolean,
): Promise<void> {
  const list = marks.written.filter(({ affected }) => which(affected));
  await transaction.upsertSightings(list.map(({ affected, ...sighting }) => ({ ...sighting, affectedId: idOf.get(affected)! })));
}

interface Following {
  marks: GatheredMarks;
  seen: ReadonlyMap<string, SeenAffected>;
  affected: ReadonlyMap<string, StoredAffected>;
  /** Signals that this batch brought. */
  signals: readonly Signal[];
  now: number;
}

/** Follows every affected object that the batch touches. */
async function follow(transaction: IntakeTransaction, following: Following): Promise<AffectedChange[]> {
  const { marks, seen, affected, signals, now } = following;
  const newSignals = groupBy(signals, ({ objectKey }) => objectKey);
  const touched = new Set(marks.byAffected.keys());
  for (const row of affected.values()) {
    if (newSignals.get(row.objectKey)?.some((signal) => endsBy(row, signal))) touched.add(affectedKey(row));
  }
  const firstNew = new Map<string, number>();
  for (const [key, { sightings }] of marks.byAffected) {
    const objectKey = (seen.get(key) ?? affected.get(key))!.objectKey;
    for (const { at } of sightings) firstNew.set(objectKey, Math.min(firstNew.get(objectKey) ?? Infinity, at));
  }
  const later = groupBy(await transaction.findSignals([...firstNew].map(([objectKey, at]) => ({ objectKey, at }))), ({ objectKey }) => objectKey);

  const changes: AffectedChange[] = [];
  const anew: { change: Pick<AffectedChange, 'seen' | 'marks'>; before: StoredAffected }[] = [];
  for (const key of touched) {
    const before = affected.get(key);
    const seenNow = seen.get(key);
    const added = marks.byAffected.get(key);
    const rules = rulesOf(seenNow, before);
    const from = (added?.sightings ?? []).reduce((first, { at }) => Math.min(first, at), Infinity);
    const since = (later.get(rules.objectKey) ?? []).filter(({ at }) => at >= from);
    const known = new Map([...(newSignals.get(rules.objectKey) ?? []), ...since].map((signal) => [signalId(signal), signal]));
    const newMarks = [...sightingMarks(added), ...[...known.values()].filter((signal) => endsBy(rules, signal)).map(clearMark)];
    if (before && (added?.rewritten || !comesInOrder(before.current, newMarks))) {
      anew.push({ change: { seen: seenNow, marks: added }, before });
      continue;
    }
    const followed = followOn(before?.current, newMarks, rules.ending, now);
    if (followed) changes.push({ key, before, seen: seenNow, marks: added, followed, after: afterOf(rules, before, seenNow, added, followed) });
  }
  return [...changes, ...(await followLate(transaction, anew, now))];
}

/** Derives the periods of affected objects anew that something came late for. */
async function followLate(
  transaction: IntakeTransaction,
  anew: readonly { change: Pick<AffectedChange, 'seen' | 'marks'>; before: StoredAffected }[],
  now: number,
): Promise<AffectedChange[]> {
  const histories = await transaction.findAffectedHistory(anew.map(({ before }) => before.id));
  const from = anew.map(({ before }) => {
    const history = histories.get(before.id)!;
    const first = [...history.past.map(({ startedAt }) => startedAt), ...history.sightings.map(({ at }) => at)];
    return { objectKey: before.objectKey, at: first.reduce((a, b) => Math.min(a, b), before.current.startedAt) };
  });
  const signals = groupBy(await transaction.findSignals(from), ({ objectKey }) => objectKey);
  return anew.map(({ change, before }) => {
    const rules = rulesOf(change.seen, before);
    const clears = (signals.get(before.objectKey) ?? []).filter((signal) => endsBy(rules, signal)).map(clearMark);
    const followed = followAnew(before.current, histories.get(before.id)!, clears, rules.ending, now);
    return { key: affectedKey(before), before, followed, ...change, after: afterOf(rules, before, change.seen, change.marks, followed) };
  });
}

type Rules = Pick<Affected, 'objectKey' | 'container' | 'expects' | 'ending'>;

/** How it ends is said by the knowledge of today where the batch saw it, else by what is stored. */
function rulesOf(seen: SeenAffected | undefined, before: StoredAffected | undefined): Rules {
  if (!seen) return before!;
  const { container, expects, ending } = seen.sighted;
  return { objectKey: seen.objectKey, container, expects, ending };
}

function afterOf(
  rules: Rules,
  before: StoredAffected | undefined,
  seen: SeenAffected | undefined,
  marks: NewMarks | undefined,
  followed: Followed,
): Affected {
  const sightings = marks?.sightings ?? [];
  return {
    objectKey: rules.objectKey,
    container: rules.container,
    expects: rules.expects,
    ending: rules.ending,
    problemId: before?.problemId ?? seen!.sighted.id,
    ...(before ? { kind: before.kind, namespace: before.namespace, name: before.name } : seen!.object),
    subjectRank: before?.subjectRank ?? seen!.subject.rank,
    occurrences: (before?.occurrences ?? 0) + (marks?.occurrences ?? 0),
    firstAt: sightings.reduce((first, { at }) => Math.min(first, at), before?.firstAt ?? Infinity),
    current: followed.current,
  };
}

function sightingMarks(added: NewMarks | undefined): Mark[] {
  return (added?.sightings ?? []).map(({ at, since }) => ({ kind: 'sighting', at, since }));
}

function signalId({ at, token, container }: Signal): string {
  return `${at} ${container} ${token}`;
}

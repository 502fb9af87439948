import { affectedKey, affectedKeyOf } from '../incidents/affected.js';
import type { Delivery } from '../incidents/delivery.js';
import { observe } from '../incidents/observe.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import { followBatch } from './follow-batch.js';
import type { GatheredMarks } from './gather-marks.js';
import { gatherMarks } from './gather-marks.js';
import { seenAffected } from './seen-affected.js';
import { sortIn } from './sort-in.js';
import { writeChanges } from './write-changes.js';
import { writeEvents } from './write-events.js';

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
  now: number = transaction.now,
): Promise<Applied> {
  const keys = await transaction.findEventKeys([...new Set(deliveries.map(({ event }) => event.uid))]);
  const quietOfBatch = new Map(deliveries.map((delivery) => [affectedKeyOf(delivery), delivery.sighted?.ending.quiet ?? null]));
  const { updates, accepted, told } = observe(deliveries, keys, (key) => quietOfBatch.get(key) ?? null);
  const seen = seenAffected(told);
  const signals = await transaction.insertSignals(told.flatMap((delivery) => delivery.signals));

  const lateUpdates = updates.filter(({ late }) => late.length > 0);
  const stored = await transaction.findEventSightings(lateUpdates.map(({ uid }) => uid));
  const objectKeys = new Set([...seen.values(), ...signals, ...[...stored.values()].flat()].map(({ objectKey }) => objectKey));
  const affected = new Map((await transaction.findAffected([...objectKeys])).map((row) => [affectedKey(row), row]));
  const quietOf = (key: string): number | null => (seen.get(key)?.sighted.ending ?? affected.get(key)?.ending)?.quiet ?? null;
  const sortedIn = new Map(lateUpdates.map(({ uid, late }) => [uid, sortIn(stored.get(uid) ?? [], late, keys.get(uid), quietOf)]));
  const marks = gatherMarks(updates, sortedIn);

  const idOf = new Map([...affected].map(([key, { id }]) => [key, id]));
  await writeSightings(transaction, marks, idOf, (key) => affected.has(key));
  const changes = await followBatch(transaction, { marks, seen, affected, signals, now });
  const incidents = await writeChanges(transaction, changes);
  for (const [key, id] of incidents.affectedIds) idOf.set(key, id);
  await writeSightings(transaction, marks, idOf, (key) => !affected.has(key));
  await writeEvents(transaction, updates, keys, idOf, (key) => incidents.incidentOf.get(key) ?? affected.get(key)?.incidentId ?? null, now);
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

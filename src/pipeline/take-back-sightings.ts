import { affectedKey } from '../incidents/affected.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import { followBatch } from './follow-batch.js';
import { gatherMarks } from './gather-marks.js';
import { writeChanges } from './write-changes.js';

/**
 * Takes back what Events counted for as a problem that they do not show any more, given by uid: occurrences and roll-ups lose it. The
 * periods of that problem stay as they were told. Afterwards the Events can be applied as what they show now.
 */
export async function takeBackSightings(transaction: IntakeTransaction, problemOf: ReadonlyMap<string, string>): Promise<void> {
  const stored = await transaction.findEventSightings([...problemOf.keys()]);
  const objectKeys = new Set([...stored.values()].flat().map(({ objectKey }) => objectKey));
  const affected = new Map((await transaction.findAffected([...objectKeys])).map((row) => [affectedKey(row), row]));
  const taken = new Map(
    [...stored].map(([uid, sightings]) => [uid, sightings.filter((one) => affected.get(one.affected)?.problemId === problemOf.get(uid))]),
  );
  const pairs = new Map(
    [...taken].flatMap(([uid, sightings]) =>
      sightings.map(({ affected: key }) => {
        const { id } = affected.get(key)!;
        return [`${uid} ${id}`, { uid, affectedId: id }] as const;
      }),
    ),
  );
  await transaction.forgetSightings([...pairs.values()]);
  const marks = gatherMarks(
    [...taken.keys()].map((uid) => ({ uid, sightings: [], late: [] })),
    new Map([...taken].map(([uid, replaced]) => [uid, { changed: [], added: [], replaced }])),
  );
  const changes = await followBatch(transaction, { marks, seen: new Map(), affected, signals: [], now: transaction.now });
  await writeChanges(transaction, changes);
}

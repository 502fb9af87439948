import { affectedKeyOf } from '../incidents/affected.js';
import type { EventUpdate } from '../incidents/observe.js';
import { subjectOf } from '../incidents/subject-of.js';
import type { StoredEventKey } from '../store/statements/find-event-keys.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import { undiagnosedChange } from './undiagnosed-change.js';

/** Writes every Event that has something newer to be remembered by; a new one into the partition of today, whenever it happened. */
export async function writeEvents(
  transaction: IntakeTransaction,
  updates: readonly EventUpdate[],
  keys: ReadonlyMap<string, StoredEventKey>,
  affectedIdOf: ReadonlyMap<string, string>,
  incidentOf: (affected: string) => string | null,
  now: number,
): Promise<void> {
  const today = new Date(now).toISOString().slice(0, 10);
  const { patternOfUid, change } = undiagnosedChange(updates, keys);
  const patternIds = await transaction.countUndiagnosed(change);
  const list = updates.flatMap(({ uid, newest }) => {
    if (!newest) return [];
    const affected = affectedKeyOf(newest);
    return {
      event: newest.event,
      day: keys.get(uid)?.day ?? today,
      problemId: newest.sighted?.id ?? null,
      affectedId: affected === undefined ? null : (affectedIdOf.get(affected) ?? null),
      incidentId: affected === undefined ? null : incidentOf(affected),
      patternId: patternIds.get(patternOfUid.get(uid) ?? '') ?? null,
      subjectRank: subjectOf(newest.event).rank,
    };
  });
  await transaction.upsertEvents(list);
}

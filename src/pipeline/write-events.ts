import { affectedKeyOf } from '../incidents/affected.js';
import type { EventUpdate } from '../incidents/observe.js';
import { subjectOf } from '../incidents/subject-of.js';
import type { StoredEventKey } from '../store/statements/find-event-keys.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { RollupDelta } from '../store/statements/add-rollups.js';
import type { AffectedChange } from './write-changes.js';

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
  const list = updates.flatMap(({ uid, newest }) => {
    if (!newest) return [];
    const affected = affectedKeyOf(newest);
    return {
      event: newest.event,
      day: keys.get(uid)?.day ?? today,
      problemId: newest.sighted?.id ?? null,
      affectedId: affected === undefined ? null : (affectedIdOf.get(affected) ?? null),
      incidentId: affected === undefined ? null : incidentOf(affected),
      subjectRank: subjectOf(newest.event).rank,
    };
  });
  await transaction.upsertEvents(list);
}

/** Adds the batch's occurrences to the hourly roll-ups. */
export async function writeRollups(
  transaction: IntakeTransaction,
  changes: readonly AffectedChange[],
  severityOf: (problemId: string) => string,
): Promise<void> {
  const deltas = new Map<string, RollupDelta>();
  for (const { after, marks } of changes) {
    for (const [hour, occurrences] of marks?.hours ?? []) {
      const { namespace, problemId } = after;
      const severity = severityOf(problemId);
      const key = `${hour}|${namespace}|${problemId}|${severity}`;
      const delta = deltas.get(key);
      if (delta) delta.occurrences += occurrences;
      else deltas.set(key, { hour, namespace, problemId, severity, occurrences });
    }
  }
  await transaction.addRollups([...deltas.values()].filter(({ occurrences }) => occurrences !== 0));
}

import { manualEnd, manualKey } from '../incidents/manual-end.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { IncidentWorkRecord } from '../store/statements/find-work.js';
import { followAgain } from './follow-batch.js';
import { IncidentConflictError } from './work-errors.js';
import { writeChanges } from './write-changes.js';

/** The incident that a person marks. */
export type Marked = Pick<IncidentWorkRecord, 'id' | 'problemId' | 'subjectKey'>;

/** Stores a person's word that an incident ended at a moment, and derives its periods with it. Times in milliseconds since the epoch. */
export async function endByHand(transaction: IntakeTransaction, incident: Marked, at: number, now: number): Promise<void> {
  await transaction.insertSignals([manualEnd(incident, at)]);
  const reached = await transaction.findReaching(incident.id, at);
  await writeChanges(transaction, await followAgain(transaction, reached, at, now));
}

/** Takes that word back: the incident is as if nobody had said it, of it or of one that an object of it was before its owner was known. */
export async function takeBackEnd(transaction: IntakeTransaction, incident: Marked, at: number, now: number): Promise<void> {
  const reached = await transaction.findReaching(incident.id, at);
  const alone = reached.map(({ problemId, objectKey }) => manualKey(problemId, objectKey));
  const { objectKey, ...said } = manualEnd(incident, at);
  await transaction.removeSignals([objectKey, ...alone], said);
  await writeChanges(transaction, await followAgain(transaction, reached, at, now));
}

/**
 * Stores a person's word that an incident is open at a moment, on the objects on which it ended last. It is a sighting that
 * stands for no happening, so that everything which ends a failure ends this one too.
 *
 * @throws IncidentConflictError when those objects were forgotten
 */
export async function openByHand(
  transaction: IntakeTransaction,
  { id, resolvedAt }: Pick<IncidentWorkRecord, 'id' | 'resolvedAt'>,
  at: number,
  now: number,
): Promise<void> {
  const last = await transaction.findReaching(id, resolvedAt ?? at);
  if (last.length === 0)
    throw new IncidentConflictError('The objects of the incident are forgotten; it opens when one of them fails again.');
  await transaction.upsertSightings(
    last.map((affected) => ({ uid: `@reopened/${id}`, count: 0, at, since: at, growth: 0, affectedId: affected.id })),
  );
  await writeChanges(transaction, await followAgain(transaction, last, at, now));
}

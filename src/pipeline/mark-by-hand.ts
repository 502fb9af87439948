import { manualEnd } from '../incidents/manual-end.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { IncidentWorkRecord } from '../store/statements/find-work.js';
import { followAgain } from './follow-batch.js';
import { writeChanges } from './write-changes.js';

/** The incident that a person marks. */
export type Marked = Pick<IncidentWorkRecord, 'id' | 'problemId' | 'subjectKey'>;

/** Stores a person's word that an incident ended at a moment, and derives its periods with it. Times in milliseconds since the epoch. */
export async function endByHand(transaction: IntakeTransaction, incident: Marked, at: number, now: number): Promise<void> {
  await transaction.insertSignals([manualEnd(incident, at)]);
  await deriveFrom(transaction, incident, at, now);
}

/** Takes that word back: the incident is as if nobody had said it. */
export async function takeBackEnd(transaction: IntakeTransaction, incident: Marked, at: number, now: number): Promise<void> {
  await transaction.removeSignal(manualEnd(incident, at));
  await deriveFrom(transaction, incident, at, now);
}

/**
 * Stores a person's word that an incident is open at a moment, on the objects on which it ended last. It is a sighting that
 * stands for no happening, so that everything which ends a failure ends this one too.
 */
export async function openByHand(
  transaction: IntakeTransaction,
  { id, resolvedAt }: Pick<IncidentWorkRecord, 'id' | 'resolvedAt'>,
  at: number,
  now: number,
): Promise<void> {
  const last = await transaction.findReaching(id, resolvedAt ?? at);
  await transaction.upsertSightings(
    last.map((affected) => ({ uid: `@reopened/${id}`, count: 0, at, since: at, growth: 0, affectedId: affected.id })),
  );
  await writeChanges(transaction, await followAgain(transaction, last, at, now));
}

async function deriveFrom(transaction: IntakeTransaction, { id }: Marked, at: number, now: number): Promise<void> {
  const reached = await transaction.findReaching(id, at);
  await writeChanges(transaction, await followAgain(transaction, reached, at, now));
}

import type { Affected } from '../incidents/affected.js';
import type { Followed } from '../incidents/follow-affected.js';
import type { Interval } from '../incidents/timeline.js';
import { incidentKey } from '../store/statements/ensure-incidents.js';
import type { EnsuredIncident, NewIncident } from '../store/statements/ensure-incidents.js';
import type { StoredAffected } from '../store/statements/find-affected.js';
import type { IncidentHead } from '../store/statements/find-incident-heads.js';
import type { Move } from '../store/statements/move-affected.js';
import type { IncidentDelta } from '../store/statements/update-incidents.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { NewMarks } from './gather-marks.js';
import { rollupDeltas } from './rollup-deltas.js';
import type { SeenAffected } from './seen-affected.js';

/** What happens to one affected object. */
export interface AffectedChange {
  key: string;
  before: StoredAffected | undefined;
  /** What the batch says about it; undefined when only a signal or silence concerns it. */
  seen: SeenAffected | undefined;
  marks: NewMarks | undefined;
  followed: Followed;
  after: Affected;
  /** Whether the object shows the problem for the first time, in whatever container; true for one of several that are new at once. */
  newObject: boolean;
}

/** Where things ended up: row ids of affected objects and the incident of each, by affected key. */
export interface WrittenChanges {
  affectedIds: ReadonlyMap<string, string>;
  incidentOf: ReadonlyMap<string, string>;
}

/** Writes changed affected objects and makes their incidents, episodes and roll-ups agree with them. */
export async function writeChanges(transaction: IntakeTransaction, followed: readonly AffectedChange[]): Promise<WrittenChanges> {
  const elsewhere = followed.filter(({ before, after }) => before?.subject.key !== after.subject.key);
  const heads = await transaction.findIncidentHeads(elsewhere.flatMap(({ before, seen }) => (before && !seen ? [before.incidentId] : [])));
  const incidents = await transaction.ensureIncidents(newIncidents(elsewhere, heads));
  const changes = followed.map((change) =>
    endWhatIsFinal(change, incidents.get(incidentKey(change.after.problemId, change.after.subject.key))),
  );
  const incidentOf = new Map(
    changes.map(({ key, before, after }) => [
      key,
      before?.subject.key === after.subject.key ? before.incidentId : incidents.get(incidentKey(after.problemId, after.subject.key))!.id,
    ]),
  );

  const affectedIds = await transaction.upsertAffected(changes.map(({ key, after }) => ({ ...after, incidentId: incidentOf.get(key)! })));
  await transaction.writeIntervals(
    changes
      .filter(({ followed }) => followed.replacesFrom !== null || followed.past.length > 0)
      .map(({ key, followed: { past, replacesFrom } }) => ({ affectedId: affectedIds.get(key)!, past, replacesFrom })),
  );
  await transaction.updateIncidents(incidentDeltas(changes, incidentOf));
  const moved = changes.filter(({ key, before }) => before && before.incidentId !== incidentOf.get(key));
  // Before an incident that is left empty goes, and its episodes with it: what they counted for is to be taken back.
  const episodes = await transaction.refreshEpisodes(changedIncidents(changes, incidentOf));
  await transaction.completeMoves(moved.map((change) => moveOf(change, incidentOf.get(change.key)!)));
  await transaction.addRollups(rollupDeltas(changes, episodes));
  return { affectedIds, incidentOf };
}

/**
 * An object that was last seen before the history of its incident became final, and that nobody knows (any more), opens nothing: what
 * ended it may have been forgotten. It counts, and that is all.
 */
function endWhatIsFinal(change: AffectedChange, incident: EnsuredIncident | undefined): AffectedChange {
  const { before, followed, after } = change;
  const final = incident?.forgottenUntil ?? null;
  if (before || final === null || after.current.endedAt !== null || after.current.lastAt > final) return change;
  const current: Interval = { ...after.current, endedAt: final, resolution: 'QUIET' };
  return { ...change, followed: { ...followed, current }, after: { ...after, current } };
}

/** The incidents that objects are filed under for the first time, each once. */
function newIncidents(changes: readonly AffectedChange[], heads: ReadonlyMap<string, IncidentHead>): NewIncident[] {
  const byKey = new Map<string, NewIncident>();
  for (const { before, seen, after } of changes) {
    const { key, kind, namespace, name, rank } = after.subject;
    const id = incidentKey(after.problemId, key);
    if (byKey.has(id)) continue;
    byKey.set(id, {
      ...(seen ? headOf(seen) : heads.get(before!.incidentId)!),
      problemId: after.problemId,
      subjectKey: key,
      subjectKind: kind,
      subjectNamespace: namespace,
      subjectName: name,
      subjectRank: rank,
      firstSeenAt: after.firstAt,
      lastSeenAt: after.current.lastAt,
    });
  }
  return [...byKey.values()];
}

function headOf({ sighted, diagnosis, diagnosisOrder }: SeenAffected): IncidentHead {
  const { provider, code, severity } = sighted;
  return { provider, code, severity, diagnosis, diagnosisOrder };
}

function incidentDeltas(changes: readonly AffectedChange[], incidentOf: ReadonlyMap<string, string>): IncidentDelta[] {
  const deltas = new Map<string, IncidentDelta>();
  for (const { key, before, seen, marks, followed, after, newObject } of changes) {
    const id = incidentOf.get(key)!;
    const delta = deltas.get(id) ?? emptyDelta(id);
    deltas.set(id, delta);
    delta.occurrences += marks?.occurrences ?? 0;
    delta.affected += newObject ? 1 : 0;
    delta.open += (followed.current.endedAt === null ? 1 : 0) - (before && before.current.endedAt === null ? 1 : 0);
    delta.firstSeenAt = Math.min(delta.firstSeenAt ?? Infinity, after.firstAt);
    delta.lastSeenAt = Math.max(delta.lastSeenAt ?? -Infinity, after.current.lastAt);
    const { rank, kind } = after.subject;
    if (delta.subjectRank === null || rank > delta.subjectRank || (rank === delta.subjectRank && kind < delta.subjectKind!)) {
      delta.subjectRank = rank;
      delta.subjectKind = kind;
    }
    if (!seen) continue;
    delta.severity = seen.sighted.severity;
    if (delta.diagnosisOrder === null || seen.diagnosisOrder > delta.diagnosisOrder) {
      delta.diagnosisOrder = seen.diagnosisOrder;
      delta.diagnosis = seen.diagnosis;
    }
  }
  return [...deltas.values()];
}

function emptyDelta(id: string): IncidentDelta {
  return {
    id,
    occurrences: 0,
    affected: 0,
    open: 0,
    firstSeenAt: null,
    lastSeenAt: null,
    severity: null,
    subjectKind: null,
    subjectRank: null,
    diagnosis: null,
    diagnosisOrder: null,
  };
}

function moveOf({ before, after }: AffectedChange, to: string): Move {
  return { from: before!.incidentId, to, kind: after.kind, namespace: after.namespace, name: after.name };
}

function changedIncidents(changes: readonly AffectedChange[], incidentOf: ReadonlyMap<string, string>): { id: string; from: number }[] {
  const from = new Map<string, number>();
  const note = (id: string, at: number): void => void from.set(id, Math.min(from.get(id) ?? Infinity, at));
  for (const { key, before, followed } of changes) {
    const id = incidentOf.get(key)!;
    if (before && before.incidentId !== id) {
      note(before.incidentId, 0);
      note(id, 0);
    } else if (followed.changedFrom !== null) note(id, followed.changedFrom);
  }
  return [...from].map(([id, at]) => ({ id, from: at }));
}

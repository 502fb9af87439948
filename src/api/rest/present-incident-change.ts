import type { Knowledge } from '../../knowledge/problem.js';
import type { Diagnosis } from '../../matching/diagnosis.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import type { Locale } from '../choose-locale.js';
import { encodeChangeCursor } from '../live/change-cursor.js';
import type { LiveChange } from '../live/live-stream.js';

/** What an incident is shown with. */
export interface Around {
  cluster: string | undefined;
  knowledge: Knowledge;
  locale: Locale;
}

/** A change of an incident as REST shows it. */
export function presentIncidentChange({ change, incident }: LiveChange, around: Around) {
  const { position, at, kind, statusBefore, status, severityBefore, severity, mergedInto } = change;
  return {
    cursor: encodeChangeCursor(position),
    at: timeOf(at),
    kind,
    statusBefore,
    status,
    severityBefore,
    severity,
    mergedInto,
    incident: presentIncident(incident, around),
  };
}

/** An incident as REST shows it. */
export function presentIncident(incident: IncidentRecord, { cluster, knowledge, locale }: Around) {
  const { id, problemId, code, severity, status, subject, occurrences, affectedCount, resolvedBy } = incident;
  const diagnosis = incident.diagnosis as Diagnosis | null;
  return {
    id,
    cluster: cluster ?? null,
    problem: problemId,
    title: knowledge.byId.get(problemId)?.title[locale] ?? null,
    code,
    severity,
    status,
    subject: { kind: subject.kind, namespace: subject.namespace || null, name: subject.name },
    occurrences,
    affectedCount,
    firstSeenAt: timeOf(incident.firstSeenAt),
    lastSeenAt: timeOf(incident.lastSeenAt),
    resolvedAt: incident.resolvedAt === null ? null : timeOf(incident.resolvedAt),
    resolvedBy,
    diagnosis: diagnosis && { matchedOn: diagnosis.matchedOn, confidence: diagnosis.confidence, captured: diagnosis.captured },
  };
}

/** A time as REST shows it. */
export function timeOf(at: number): string {
  return new Date(at).toISOString();
}

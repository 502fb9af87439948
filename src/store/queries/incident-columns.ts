import { ms } from '../rows.js';

/** An incident as stored. Times are milliseconds since the epoch. */
export interface IncidentRecord {
  id: string;
  clusterId: number;
  problemId: string;
  subject: { kind: string; namespace: string; name: string };
  code: string | null;
  severity: string;
  status: string;
  /** At most 2,147,483,647. */
  occurrences: number;
  /** Objects that have ever shown it. */
  affectedCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  /** Grows with every change by a person and with every change of the status. */
  version: number;
  /** When and by whom it was acknowledged, in its present episode; null when it is not acknowledged. */
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  assignee: string | null;
  /** The diagnosis of the latest happening, as the pipeline wrote it. */
  diagnosis: unknown;
}

/** Columns of `incident i` that make an `IncidentRecord`. */
export const INCIDENT_COLUMNS = `i.id, i.cluster_id, i.problem_id, i.subject_kind, i.subject_namespace, i.subject_name, i.code, i.severity, i.status,
  LEAST(i.occurrences, 2147483647)::integer AS occurrences, i.affected_count, ${ms('i.first_seen_at')} AS first_seen_at, ${ms('i.last_seen_at')} AS last_seen_at,
  ${ms('i.resolved_at')} AS resolved_at, i.resolved_by, i.version, ${ms('i.acknowledged_at')} AS acknowledged_at, i.acknowledged_by, i.assignee, i.diagnosis`;

/** A row of those columns. */
export interface IncidentRow {
  id: string;
  cluster_id: number;
  problem_id: string;
  subject_kind: string;
  subject_namespace: string;
  subject_name: string;
  code: string | null;
  severity: string;
  status: string;
  /** At most 2,147,483,647. */
  occurrences: number;
  affected_count: number;
  first_seen_at: number;
  last_seen_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  version: number;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  assignee: string | null;
  diagnosis: unknown;
}

/** Makes a record of a row. */
export function toIncident(row: IncidentRow): IncidentRecord {
  const isAcknowledged = row.status === 'acknowledged';
  return {
    id: row.id,
    clusterId: row.cluster_id,
    problemId: row.problem_id,
    subject: { kind: row.subject_kind, namespace: row.subject_namespace, name: row.subject_name },
    code: row.code,
    severity: row.severity,
    status: row.status,
    occurrences: row.occurrences,
    affectedCount: row.affected_count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    version: row.version,
    acknowledgedAt: isAcknowledged ? row.acknowledged_at : null,
    acknowledgedBy: isAcknowledged ? row.acknowledged_by : null,
    assignee: row.assignee,
    diagnosis: row.diagnosis,
  };
}

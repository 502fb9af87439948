import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** What people work on: an incident as they change it. Times are milliseconds since the epoch. */
export interface IncidentWorkRecord {
  id: string;
  problemId: string;
  subjectKey: string;
  status: string;
  version: number;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  assignee: string | null;
  resolvedAt: number | null;
  resolvedBy: string | null;
  /** Start of its latest episode. */
  startedAt: number;
  lastSeenAt: number;
}

/** Finds an incident to work on; its cluster has to be taken. */
export async function findWork(connection: Connection, clusterId: number, id: string): Promise<IncidentWorkRecord | undefined> {
  const [found] = await rows<IncidentWorkRecord>(
    connection,
    `SELECT i.id, i.problem_id AS "problemId", i.subject_key AS "subjectKey", i.status, i.version, i.acknowledged_by AS "acknowledgedBy", i.assignee,
       ${ms('i.acknowledged_at')} AS "acknowledgedAt", ${ms('i.resolved_at')} AS "resolvedAt", i.resolved_by AS "resolvedBy",
       ${ms('i.last_seen_at')} AS "lastSeenAt",
       ${ms('(SELECT e.started_at FROM episode e WHERE e.incident_id = i.id ORDER BY e.started_at DESC LIMIT 1)')} AS "startedAt"
     FROM incident i WHERE i.id = $2 AND i.cluster_id = $1`,
    clusterId,
    id,
  );
  return found;
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Notes changes that leave the row of the incident as it is, such as COMMENTED: what changes the row is noted by a trigger.
 * Belongs into the transaction that makes the change, after it has taken the cluster.
 */
export async function noteIncidentChanges(connection: Connection, changes: readonly { incidentId: string; kind: string }[]): Promise<void> {
  await rows(
    connection,
    `WITH noted AS (
       INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status_before, status, severity_before, severity)
       SELECT i.id, i.cluster_id, i.problem_id, i.subject_namespace, n.kind, i.status, i.status, i.severity, i.severity
       FROM json_to_recordset($1::json) AS n("incidentId" uuid, kind text) JOIN incident i ON i.id = n."incidentId"
       RETURNING 1
     )
     SELECT pg_notify('casebook_incident_change', '') FROM noted LIMIT 1`,
    JSON.stringify(changes),
  );
}

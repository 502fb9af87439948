import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Makes one change of kind UPDATED of each incident of a cluster that grew since the last time, at most `limit`. Returns how
 * many. Needs the cluster's lock: a writer that finds its incident noted already must have committed before it is told.
 */
export async function tellGrowth(connection: Connection, clusterId: number, limit: number): Promise<number> {
  const [told] = await rows<{ count: number }>(
    connection,
    `WITH grown AS (
       DELETE FROM incident_growth WHERE cluster_id = $1 AND incident_id = ANY(ARRAY(
         SELECT g.incident_id FROM incident_growth g WHERE g.cluster_id = $1 LIMIT $2))
       RETURNING incident_id
     ), told AS (
       INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status_before, status, severity_before, severity)
       SELECT i.id, i.cluster_id, i.problem_id, i.subject_namespace, 'UPDATED', i.status, i.status, i.severity, i.severity
       FROM grown g JOIN incident i ON i.id = g.incident_id
       RETURNING 1
     )
     SELECT (SELECT count(*)::integer FROM grown) AS count, pg_notify('casebook_incident_change', '')`,
    clusterId,
    limit,
  );
  return told!.count;
}

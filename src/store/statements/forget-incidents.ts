import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Deletes at most `limit` incidents of a cluster that were resolved before a moment (ISO time) and of which all objects are forgotten,
 * with everything that hangs on them; the cluster has to be taken. Sums stay. Returns how many it deleted.
 */
export async function forgetIncidents(connection: Connection, clusterId: number, before: string, limit: number): Promise<number> {
  const gone = await rows<{ id: string }>(
    connection,
    `DELETE FROM incident WHERE id = ANY(ARRAY(
       SELECT i.id FROM incident i
       WHERE i.cluster_id = $1 AND i.last_seen_at < $2::timestamptz AND i.status = 'resolved' AND i.resolved_at < $2::timestamptz
         AND NOT EXISTS (SELECT FROM affected a WHERE a.incident_id = i.id)
       ORDER BY i.last_seen_at LIMIT $3))
     RETURNING id`,
    clusterId,
    before,
    limit,
  );
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return 0;
  // Nothing refers to an incident here by a foreign key, so that its own rows may outlive it while it moves. Its audit goes last: it
  // can only be deleted when the incident is gone.
  await rows(connection, 'DELETE FROM webhook_told t USING webhook w WHERE t.webhook_id = w.id AND t.incident_id = ANY($1::uuid[])', ids);
  await rows(connection, 'DELETE FROM incident_audit WHERE incident_id = ANY($1::uuid[])', ids);
  return ids.length;
}

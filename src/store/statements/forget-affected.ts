import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Forgets at most `limit` objects (and containers) of a cluster of which nothing was seen, open or heard since `before` (ISO time); the
 * cluster has to be taken. Their incidents keep what they counted for, and until when: an object counts as forgotten with the last of its
 * containers. Returns how many it forgot.
 */
export async function forgetAffected(connection: Connection, clusterId: number, before: string, limit: number): Promise<number> {
  const [forgotten] = await rows<{ count: number }>(
    connection,
    `WITH gone AS (
       DELETE FROM affected WHERE id = ANY(ARRAY(
         SELECT a.id FROM affected a
         WHERE a.cluster_id = $1 AND a.ended_at < $2::timestamptz AND a.last_at < $2::timestamptz AND a.heard_on < ($2::timestamptz AT TIME ZONE 'UTC')::date - 1
         ORDER BY a.ended_at LIMIT $3))
       RETURNING id, incident_id, object_key, occurrences, ended_at
     ), summed AS (
       SELECT g.incident_id, sum(g.occurrences) AS occurrences, max(g.ended_at) AS until,
         count(DISTINCT g.object_key) FILTER (WHERE NOT EXISTS (
           SELECT FROM affected a
           WHERE a.cluster_id = $1 AND a.object_key = g.object_key AND a.incident_id = g.incident_id AND a.id NOT IN (SELECT id FROM gone)
         ))::integer AS objects
       FROM gone g GROUP BY g.incident_id
     ), kept AS (
       UPDATE incident i SET forgotten_count = i.forgotten_count + s.objects, forgotten_occurrences = i.forgotten_occurrences + s.occurrences,
         forgotten_until = GREATEST(i.forgotten_until, s.until)
       FROM summed s WHERE i.id = s.incident_id
     )
     SELECT count(*)::integer AS count FROM gone`,
    clusterId,
    before,
    limit,
  );
  return forgotten!.count;
}

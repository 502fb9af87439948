import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Drops what one cluster counted longer than `days` ago and has not heard of since, what is explained meanwhile, and the patterns that
 * are left without anything. Holds the cluster: its writer could be about to count under one of them.
 */
export async function dropUndiagnosed(connection: Connection, clusterId: number, days: number, now: Date | null): Promise<void> {
  await rows(connection, 'SELECT c.id FROM cluster c WHERE c.id = $1 FOR UPDATE', clusterId);
  await rows(
    connection,
    `DELETE FROM undiagnosed_cell c USING (SELECT (COALESCE($3::timestamptz, now()) AT TIME ZONE 'UTC')::date - $2::integer AS cutoff) t
     WHERE c.cluster_id = $1 AND (c.events = 0 OR (c.day < t.cutoff AND c.heard_on < t.cutoff))`,
    clusterId,
    days,
    now,
  );
  await rows(
    connection,
    'DELETE FROM undiagnosed_pattern p WHERE p.cluster_id = $1 AND NOT EXISTS (SELECT FROM undiagnosed_cell c WHERE c.pattern_id = p.id)',
    clusterId,
  );
}

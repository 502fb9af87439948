import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** When a cluster was first heard after a moment, both milliseconds since the epoch; null when that is not known any more. */
export async function findHeardAfter(connection: Connection, clusterId: number, since: number): Promise<number | null> {
  const [found] = await rows<{ at: number }>(
    connection,
    `SELECT ${ms('m.heard_at')} AS at FROM cluster_minute m
     WHERE m.cluster_id = $1 AND m.minute >= date_trunc('minute', to_timestamp($2::float8 / 1000.0), 'UTC') AND m.heard_at > to_timestamp($2::float8 / 1000.0)
     ORDER BY m.minute LIMIT 1`,
    clusterId,
    since,
  );
  return found?.at ?? null;
}

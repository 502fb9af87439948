import type { Database } from '../database.service.js';
import type { WatchReplica } from '../queries/find-watch-shares.js';

/**
 * Says that a replica is alive for another `ttl` milliseconds and what it is able to watch, and adds a lease for each cluster that it
 * is configured to watch and that has none. Rows of replicas that died a minute ago are dropped on the way.
 */
export async function beatWatchReplica(
  database: Pick<Database, 'rows'>,
  { id, name, configured, opensStored, modes }: WatchReplica & { name: string; modes: readonly string[] },
  ttl: number,
): Promise<void> {
  await database.rows(
    `WITH gone AS (DELETE FROM watch_replica WHERE expires_at < clock_timestamp() - interval '1 minute' AND id <> $1),
       added AS (
         INSERT INTO watch_lease (cluster_id, mode)
         SELECT n.id, n.mode FROM unnest($3::integer[], $5::text[]) AS n(id, mode)
         WHERE EXISTS (SELECT FROM cluster c WHERE c.id = n.id) AND NOT EXISTS (SELECT FROM watch_lease l WHERE l.cluster_id = n.id)
         ON CONFLICT DO NOTHING)
     INSERT INTO watch_replica (id, name, expires_at, configured, opens_stored)
     VALUES ($1, $2, clock_timestamp() + $6 * interval '1 ms', $3, $4)
     ON CONFLICT (id) DO UPDATE
     SET expires_at = excluded.expires_at, configured = excluded.configured, opens_stored = excluded.opens_stored`,
    id,
    name,
    configured,
    opensStored,
    modes,
    ttl,
  );
}

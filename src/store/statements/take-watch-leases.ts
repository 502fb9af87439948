import type { Database } from '../database.service.js';
import type { TakenLease, WatchMode } from '../watch-lease.js';

interface Row {
  id: number;
  name: string;
  provider: string;
  mode: WatchMode;
  epoch: number;
  position: string | null;
  positionServer: string | null;
  lapsedHolder: string | null;
}

/**
 * Takes those of the wanted leases that nobody holds, for `ttl` milliseconds, each with an epoch of its own. Of two replicas that
 * want one lease at the same moment, one gets it and the other passes on.
 */
export async function takeWatchLeases(
  database: Pick<Database, 'rows'>,
  holder: { id: string; name: string },
  wanted: readonly { clusterId: number; mode: WatchMode }[],
  ttl: number,
): Promise<TakenLease[]> {
  const taken = await database.rows<Row>(
    `WITH free AS (
       SELECT l.cluster_id, n.mode, l.holder_name FROM watch_lease l
       JOIN json_to_recordset($3::json) AS n("clusterId" integer, mode text) ON n."clusterId" = l.cluster_id
       WHERE l.holder IS NULL OR l.expires_at <= clock_timestamp()
       ORDER BY l.cluster_id
       FOR UPDATE OF l SKIP LOCKED)
     UPDATE watch_lease l
     SET holder = $1, holder_name = $2, expires_at = clock_timestamp() + $4 * interval '1 ms', epoch = nextval('watch_epoch'), mode = free.mode,
       state = 'connecting', state_since = clock_timestamp()
     FROM free JOIN cluster c ON c.id = free.cluster_id
     WHERE l.cluster_id = free.cluster_id
     RETURNING c.id, c.name, c.provider, l.mode, l.epoch::float8 AS epoch, l.position, l.position_server AS "positionServer",
       free.holder_name AS "lapsedHolder"`,
    holder.id,
    holder.name,
    JSON.stringify(wanted),
    ttl,
  );
  return taken.map(({ id, name, provider, ...lease }) => ({ cluster: { id, name, provider }, ...lease }));
}

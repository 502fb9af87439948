import type { Database } from '../database.service.js';

/** How far the events of a cluster are stored. */
export interface WatchPosition {
  clusterId: number;
  /** Fencing token under which they were read. */
  epoch: number;
  /** Resource version up to which they are stored. */
  position: string;
  /** The API server that it is of. */
  server: string;
}

/**
 * Moves the position of a watch, if the lease has not changed hands since. False when it has: a holder that slept through the
 * end of its lease cannot take the position back.
 */
export async function storeWatchPosition(database: Pick<Database, 'rows'>, to: WatchPosition): Promise<boolean> {
  const moved = await database.rows(
    `UPDATE watch_lease SET position = $3, position_server = $4, position_at = clock_timestamp()
     WHERE cluster_id = $1 AND epoch = $2 AND holder IS NOT NULL
     RETURNING cluster_id`,
    to.clusterId,
    to.epoch,
    to.position,
    to.server,
  );
  return moved.length > 0;
}

import type { Database } from '../database.service.js';

const FREE = `holder = NULL, holder_name = NULL, expires_at = NULL, state = 'stopped', state_since = clock_timestamp()`;

/** Gives leases back, so that the next look of any replica may take them; those that are lost already are left alone. */
export async function releaseWatchLeases(database: Pick<Database, 'rows'>, holder: string, epochs: readonly number[]): Promise<void> {
  await database.rows(`UPDATE watch_lease SET ${FREE} WHERE holder = $1 AND epoch = ANY($2::bigint[])`, holder, epochs);
}

/** Gives everything back that a replica holds, and its own row: it is going. */
export async function retireWatchReplica(database: Pick<Database, 'rows'>, holder: string): Promise<void> {
  await database.rows(`WITH gone AS (DELETE FROM watch_replica WHERE id = $1) UPDATE watch_lease SET ${FREE} WHERE holder = $1`, holder);
}

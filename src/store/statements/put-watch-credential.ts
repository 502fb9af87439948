import type { Database } from '../database.service.js';

/**
 * Keeps the sealed credential of a cluster in place of any other, and has the cluster watched with it from the beginning: whoever
 * watches it now loses the lease, and the position, which may be of another server, is forgotten.
 */
export async function putWatchCredential(
  database: Pick<Database, 'rows'>,
  clusterId: number,
  { sealed, server }: { sealed: string; server: string },
): Promise<void> {
  await database.rows(
    `WITH credential AS (
       INSERT INTO watch_credential (cluster_id, sealed) SELECT id, $2 FROM cluster WHERE id = $1
       ON CONFLICT (cluster_id) DO UPDATE SET sealed = excluded.sealed, created_at = now()
       RETURNING cluster_id)
     INSERT INTO watch_lease AS l (cluster_id, mode, server) SELECT cluster_id, 'stored', $3 FROM credential
     ON CONFLICT (cluster_id) DO UPDATE
     SET mode = 'stored', server = excluded.server, holder = NULL, holder_name = NULL, expires_at = NULL, epoch = nextval('watch_epoch'),
       position = NULL, position_server = NULL, position_at = NULL, state = 'stopped', state_since = now(),
       error_code = NULL, error = NULL, error_at = NULL, unfollowed = '[]'`,
    clusterId,
    sealed,
    server,
  );
}

/** Forgets how a cluster is watched; its holder notices with the next renewal. False when it was not watched. */
export async function dropWatch(database: Pick<Database, 'rows'>, clusterId: number): Promise<boolean> {
  const dropped = await database.rows(
    `WITH credential AS (DELETE FROM watch_credential WHERE cluster_id = $1)
     DELETE FROM watch_lease WHERE cluster_id = $1 RETURNING cluster_id`,
    clusterId,
  );
  return dropped.length > 0;
}

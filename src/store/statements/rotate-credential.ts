import type { ClusterCredential, CredentialTable } from '../cluster-credential.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** A new credential that takes the place of a cluster's others. */
export interface Rotation {
  clusterId: number;
  /** What the new one is checked with: a token's hash, a sealed secret. */
  value: Uint8Array | string;
  /** Seconds for which the present ones stay valid at most. */
  graceSeconds: number;
}

/** Expired credentials that are still shown, so that an operator sees why one is refused; older ones are deleted. */
const EXPIRED_SHOWN = 10;

/**
 * Adds a credential, lets those that are valid now end after the grace (unless they end sooner anyway), and forgets those that
 * ended long ago. The cluster's row is held.
 */
export async function rotateCredential(
  connection: Connection,
  { table, column }: CredentialTable,
  { clusterId, value, graceSeconds }: Rotation,
): Promise<ClusterCredential> {
  await rows(
    connection,
    `UPDATE ${table} SET expires_at = now() + make_interval(secs => $2)
     WHERE cluster_id = $1 AND (expires_at IS NULL OR expires_at > now() + make_interval(secs => $2))`,
    clusterId,
    graceSeconds,
  );
  await rows(
    connection,
    `DELETE FROM ${table} WHERE cluster_id = $1 AND expires_at <= now() AND id NOT IN
       (SELECT id FROM ${table} WHERE cluster_id = $1 AND expires_at <= now() ORDER BY expires_at DESC, id DESC LIMIT $2)`,
    clusterId,
    EXPIRED_SHOWN,
  );
  const [made] = await rows<ClusterCredential>(
    connection,
    `INSERT INTO ${table} (cluster_id, ${column}) VALUES ($1, $2)
     RETURNING id, created_at AS "createdAt", NULL::timestamptz AS "lastUsedAt", expires_at AS "expiresAt"`,
    clusterId,
    value,
  );
  return made!;
}

/** How many of a cluster's credentials are valid now. */
export async function countValid(connection: Connection, { table }: CredentialTable, clusterId: number): Promise<number> {
  const [found] = await rows<{ count: number }>(
    connection,
    `SELECT count(*)::integer AS count FROM ${table} WHERE cluster_id = $1 AND (expires_at IS NULL OR expires_at > now())`,
    clusterId,
  );
  return found!.count;
}

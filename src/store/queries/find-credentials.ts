import type { ClusterCredential, CredentialTable } from '../cluster-credential.js';
import type { Database } from '../database.service.js';

/** Finds the credentials of each cluster, the newest first; a cluster without any is left out. */
export async function findCredentials(
  database: Pick<Database, 'rows'>,
  { table }: CredentialTable,
  clusterIds: readonly number[],
): Promise<Map<number, ClusterCredential[]>> {
  const lastUsed = table === 'cluster_token' ? 't.last_used_at' : 'NULL::timestamptz';
  const found = await database.rows<ClusterCredential & { cluster_id: number }>(
    `SELECT t.cluster_id, t.id, t.created_at AS "createdAt", ${lastUsed} AS "lastUsedAt", t.expires_at AS "expiresAt"
     FROM ${table} t WHERE t.cluster_id = ANY($1::integer[]) ORDER BY t.cluster_id, t.id DESC`,
    clusterIds,
  );
  const byCluster = new Map<number, ClusterCredential[]>();
  for (const { cluster_id: clusterId, ...credential } of found) {
    const list = byCluster.get(clusterId);
    if (list) list.push(credential);
    else byCluster.set(clusterId, [credential]);
  }
  return byCluster;
}

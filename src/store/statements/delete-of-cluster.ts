import type { Connection } from '../rows.js';

/** Deletes at most `limit` rows of a cluster from one table; the table's name is our own. Returns how many it deleted. */
export async function deleteOfCluster(connection: Connection, table: string, clusterId: number, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE cluster_id = $1 LIMIT $2))`,
    [clusterId, limit],
  );
  return rowCount ?? 0;
}

import type { Database } from '../database.service.js';

/** Counts the unresolved incidents of some clusters; a cluster without any is left out. */
export async function countOpenIncidents(database: Pick<Database, 'rows'>, clusterIds: readonly number[]): Promise<Map<number, number>> {
  const counts = await database.rows<{ cluster_id: number; count: number }>(
    `SELECT i.cluster_id, count(*)::integer AS count FROM incident i
     WHERE i.status <> 'resolved' AND i.cluster_id = ANY($1::integer[]) GROUP BY i.cluster_id`,
    clusterIds,
  );
  return new Map(counts.map((row) => [row.cluster_id, row.count]));
}

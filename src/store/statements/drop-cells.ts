import type { Connection } from '../rows.js';

/** Tables of sums. */
export const CELL_TABLES = ['rollup_cluster', 'rollup_problem', 'rollup_namespace', 'rollup_namespace_problem'] as const;

/** Deletes at most `limit` cells of a length that begin before a moment (ISO time); the cluster has to be taken. Returns how many. */
export async function dropCells(
  connection: Connection,
  clusterId: number,
  { table, minutes, before, limit }: { table: (typeof CELL_TABLES)[number]; minutes: number; before: string; limit: number },
): Promise<number> {
  const { rowCount } = await connection.query(
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE cluster_id = $1 AND minutes = $2 AND at < $3::timestamptz LIMIT $4))`,
    [clusterId, minutes, before, limit],
  );
  return rowCount ?? 0;
}

/** Tables of sums of all clusters together. */
export const TABLES_EVERYWHERE = ['rollup_everywhere', 'rollup_by_cluster'] as const;

/** Deletes at most `limit` rows of all clusters together, of cells of a length that begin before a moment (ISO time). Returns how many. */
export async function dropCellsEverywhere(
  connection: Connection,
  { table, minutes, before, limit }: { table: (typeof TABLES_EVERYWHERE)[number]; minutes: number; before: string; limit: number },
): Promise<number> {
  const { rowCount } = await connection.query(
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE minutes = $1 AND at < $2::timestamptz LIMIT $3))`,
    [minutes, before, limit],
  );
  return rowCount ?? 0;
}

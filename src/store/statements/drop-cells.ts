import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

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

/**
 * Deletes at most `limit` sums over all clusters, of cells of a length that begin before a moment (ISO time), and what gathers the cells of
 * the clusters. Returns how many cells.
 */
export async function dropCellsEverywhere(
  connection: Connection,
  { minutes, before, limit }: { minutes: number; before: string; limit: number },
): Promise<number> {
  const [dropped] = await rows<{ cells: number }>(
    connection,
    `WITH dropped AS (
       DELETE FROM rollup_everywhere
       WHERE ctid = ANY(ARRAY(SELECT ctid FROM rollup_everywhere WHERE minutes = $1 AND at < $2::timestamptz LIMIT $3))
       RETURNING minutes, at, problem_id
     ), dropped_by_cluster AS (
       ${deleteGathered('dropped')}
     )
     SELECT count(*)::integer AS cells FROM dropped`,
    minutes,
    before,
    limit,
  );
  return dropped!.cells;
}

/** Deletes the rows of rollup_by_cluster of cells that a part of the statement names; by their places, so that no plan reads the whole table. */
export function deleteGathered(cells: string): string {
  return `DELETE FROM rollup_by_cluster WHERE ctid = ANY(ARRAY(
         SELECT e.ctid FROM ${cells} d
           CROSS JOIN LATERAL (SELECT g.ctid FROM rollup_by_cluster g WHERE g.problem_id = d.problem_id AND g.minutes = d.minutes AND g.at = d.at OFFSET 0) e
       ))`;
}

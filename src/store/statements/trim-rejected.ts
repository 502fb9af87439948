import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Most rows of a cluster. */
export interface MostRejected {
  ofCluster: number;
  /** Those that came without a token or with an unknown one, beside the others: whoever may send nothing pushes nothing out. */
  ofStrangers: number;
}

/** Drops the oldest refused input of some clusters (0: of unknown names) beyond the most rows of each. Returns how many rows. */
export async function trimRejected(connection: Connection, clusterIds: readonly number[], most: MostRejected): Promise<number> {
  const [dropped] = await rows<{ count: number }>(
    connection,
    `WITH gone AS (
       DELETE FROM rejected_input WHERE id = ANY(ARRAY(
         SELECT r.id FROM unnest($1::integer[]) AS o(cluster_id)
         CROSS JOIN (VALUES (false, $2::integer), (true, $3::integer)) AS k(stranger, most)
         CROSS JOIN LATERAL (
           SELECT r.id FROM rejected_input r
           WHERE COALESCE(r.cluster_id, 0) = o.cluster_id AND (r.code = 'UNAUTHENTICATED' AND r.token IN ('none', 'unknown')) = k.stranger
           ORDER BY r.id DESC OFFSET k.most
         ) r
       )) RETURNING 1
     ) SELECT count(*)::integer AS count FROM gone`,
    clusterIds,
    most.ofCluster,
    most.ofStrangers,
  );
  return dropped!.count;
}

/** Drops all refused input beyond the `most` latest rows, the oldest first. Returns how many rows. */
export async function trimAllRejected(connection: Connection, most: number): Promise<number> {
  const [dropped] = await rows<{ count: number }>(
    connection,
    `WITH gone AS (
       DELETE FROM rejected_input WHERE id <= (SELECT r.id FROM rejected_input r ORDER BY r.id DESC OFFSET $1 LIMIT 1) RETURNING 1
     ) SELECT count(*)::integer AS count FROM gone`,
    most,
  );
  return dropped!.count;
}

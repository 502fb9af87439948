import type { Database } from '../database.service.js';
import { ms } from '../rows.js';

/** An object that something is open about. */
export interface OpenObjectRow {
  key: string;
  kind: string;
  namespace: string;
  name: string;
  /** Latest time that something was wrong with it, milliseconds since the epoch. */
  lastAt: number;
}

/** Finds objects of a cluster that something is open about, of some kinds, by their key after another one. For the cluster's own watch. */
export function findOpenObjects(
  database: Pick<Database, 'rows'>,
  clusterId: number,
  { kinds, after, limit }: { kinds: readonly string[]; after: string; limit: number },
): Promise<OpenObjectRow[]> {
  return database.rows<OpenObjectRow & Record<string, unknown>>(
    `SELECT a.object_key AS key, min(a.kind) AS kind, min(a.namespace) AS namespace, min(a.name) AS name, ${ms('max(a.last_at)')} AS "lastAt"
     FROM affected a
     WHERE a.cluster_id = $1 AND a.ended_at IS NULL AND a.kind = ANY($2::text[]) AND a.object_key > $3
     GROUP BY a.object_key
     ORDER BY a.object_key
     LIMIT $4`,
    clusterId,
    kinds,
    after,
    limit,
  );
}

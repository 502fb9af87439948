import type { Cluster } from '../cluster.js';
import type { Database } from '../database.service.js';

interface Row extends Omit<Cluster, 'createdAt' | 'lastHeardAt'> {
  created_at: Date;
  last_heard_at: Date | null;
}

/** Finds clusters by id. */
export async function findClusters(database: Pick<Database, 'rows'>, ids: readonly number[]): Promise<Cluster[]> {
  const found = await database.rows<Row>(
    'SELECT c.id, c.name, c.provider, c.region, c.labels, c.created_at, c.last_heard_at FROM cluster c WHERE c.id = ANY($1::integer[])',
    ids,
  );
  return found.map(({ created_at: createdAt, last_heard_at: lastHeardAt, ...cluster }) => ({ ...cluster, createdAt, lastHeardAt }));
}

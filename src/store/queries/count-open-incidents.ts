import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { INCIDENT_SCOPE } from './incident-where.js';
import { scopeWhere } from './scope-where.js';

/** Counts the unresolved incidents of some clusters within a scope; a cluster without any is left out. */
export async function countOpenIncidents(
  database: Pick<Database, 'rows'>,
  clusterIds: readonly number[],
  scope: Scope,
): Promise<Map<number, number>> {
  const params: unknown[] = [clusterIds];
  const conditions = scopeWhere(scope, INCIDENT_SCOPE, (value) => `$${params.push(value)}`);
  const counts = await database.rows<{ cluster_id: number; count: number }>(
    `SELECT i.cluster_id, count(*)::integer AS count FROM incident i
     WHERE ${["i.status <> 'resolved'", 'i.cluster_id = ANY($1::integer[])', ...conditions].join(' AND ')} GROUP BY i.cluster_id`,
    ...params,
  );
  return new Map(counts.map((row) => [row.cluster_id, row.count]));
}

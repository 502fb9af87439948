import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { INCIDENT_SCOPE } from './incident-where.js';
import { scopeWhere } from './scope-where.js';

/** Incidents of a cluster and a severity that are not resolved. */
export interface SeverityCount {
  /** Name of the cluster. */
  cluster: string;
  /** Null for a cluster in which nothing is open. */
  severity: string | null;
  count: number;
}

/**
 * Counts the unresolved incidents of the first `limit` clusters by name. It reads what is open and no more, whatever has been resolved
 * before: the condition is that of the index `incident_unresolved_last_seen`.
 */
export function countBySeverity(database: Pick<Database, 'rows'>, scope: Scope, limit: number): Promise<SeverityCount[]> {
  const params: unknown[] = [limit];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const ofClusters = scopeWhere({ ...scope, namespaces: null }, { cluster: 'c.id', namespace: null }, put);
  const ofIncidents = ["i.status <> 'resolved'", ...scopeWhere(scope, INCIDENT_SCOPE, put)];
  return database.rows<SeverityCount & Record<string, unknown>>(
    `SELECT c.name AS cluster, o.severity, COALESCE(o.count, 0)::integer AS count
     FROM (SELECT c.id, c.name FROM cluster c ${ofClusters.length > 0 ? `WHERE ${ofClusters.join(' AND ')}` : ''} ORDER BY c.name LIMIT $1) c
     LEFT JOIN (SELECT i.cluster_id, i.severity, count(*) AS count FROM incident i WHERE ${ofIncidents.join(' AND ')} GROUP BY 1, 2) o ON o.cluster_id = c.id ORDER BY c.name, o.severity`,
    ...params,
  );
}

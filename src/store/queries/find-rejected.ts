import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { scopeWhere } from './scope-where.js';

/** Kept refused input. Times are milliseconds since the epoch. */
export interface RejectedRecord {
  id: string;
  cluster: string;
  firstAt: number;
  lastAt: number;
  /** How many alike ones of one hour; at most 2,147,483,647. */
  count: number;
  code: string;
  reason: string;
  element: number | null;
  format: string;
  bytes: number;
  address: string;
  userAgent: string;
  token: string;
  sample: string;
}

/** Whose refused input: of a cluster by its name, or of names that no cluster has. */
export type RejectedOf = { cluster: string } | 'unknown-clusters';

/** Part of the list, latest first. */
export interface RejectedPage {
  of: RejectedOf;
  limit: number;
  /** Id of the last row of the page before. */
  after?: string | undefined;
}

/**
 * Conditions on `rejected_input r`. It is of no namespace, so that whoever may see certain namespaces only sees none; names of no
 * cluster are for those who may see all clusters.
 */
function where(scope: Scope, of: RejectedOf, put: (value: unknown) => string): string[] {
  if (of === 'unknown-clusters') return ['COALESCE(r.cluster_id, 0) = 0', ...(scope.clusters || scope.namespaces ? ['false'] : [])];
  const cluster = `COALESCE(r.cluster_id, 0) = (SELECT c.id FROM cluster c WHERE c.name = ${put(of.cluster)})`;
  return [cluster, ...scopeWhere(scope, { cluster: 'r.cluster_id', namespace: null }, put)];
}

/** Lists refused input, latest first. */
export async function findRejected(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  { of, limit, after }: RejectedPage,
): Promise<RejectedRecord[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = where(scope, of, put);
  if (after !== undefined) conditions.push(`r.id < ${put(after)}::bigint`);
  return database.rows<RejectedRecord & Record<string, unknown>>(
    `SELECT r.id::text AS id, r.cluster_name AS cluster, ${ms('r.first_at')} AS "firstAt", ${ms('r.last_at')} AS "lastAt",
       LEAST(r.count, 2147483647)::integer AS count, r.code, r.reason, r.element, r.format, r.bytes, r.address, r.user_agent AS "userAgent", r.token, r.sample
     FROM rejected_input r WHERE ${conditions.join(' AND ')} ORDER BY r.id DESC LIMIT ${put(limit)}`,
    ...params,
  );
}

/** Counts the rows of the list. */
export async function countRejected(database: Pick<Database, 'rows'>, scope: Scope, of: RejectedOf): Promise<number> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const [row] = await database.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM rejected_input r WHERE ${where(scope, of, put).join(' AND ')}`,
    ...params,
  );
  return row!.count;
}

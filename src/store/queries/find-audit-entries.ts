import type { Scope } from '../../platform/scope.js';
import type { AuditEntry } from '../audit-entry.js';
import type { Database } from '../database.service.js';

type Row = Omit<AuditEntry, 'actor'> & { actor_id: string; actor_name: string };

/** Conditions on `audit_log a`: who may see certain clusters only sees what is about no others. */
function where({ clusters, namespaces }: Scope, put: (value: unknown) => string): string[] {
  if (namespaces) return ['false'];
  return clusters ? [`a.clusters <@ ${put(clusters)}::text[]`] : [];
}

/** Lists the audit log within a scope, the latest first, after the entry with an id. */
export async function findAuditEntries(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<AuditEntry[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = ['true', ...where(scope, put), ...(after === undefined ? [] : [`a.id < ${put(after)}::bigint`])];
  const found = await database.rows<Row>(
    `SELECT a.id::text AS id, a.at, a.actor_id, a.actor_name, a.action, a.outcome, a.target, a.clusters, a.input, a.before, a.after
     FROM audit_log a WHERE ${conditions.join(' AND ')} ORDER BY a.id DESC LIMIT ${put(limit)}`,
    ...params,
  );
  return found.map(({ actor_id: id, actor_name: name, ...entry }) => ({ ...entry, actor: { id, name } }));
}

/** Counts those entries. */
export async function countAuditEntries(database: Pick<Database, 'rows'>, scope: Scope): Promise<number> {
  const params: unknown[] = [];
  const conditions = ['true', ...where(scope, (value) => `$${params.push(value)}`)];
  const [row] = await database.rows<{ count: number }>(
    `SELECT LEAST(count(*), 2147483647)::integer AS count FROM audit_log a WHERE ${conditions.join(' AND ')}`,
    ...params,
  );
  return row!.count;
}

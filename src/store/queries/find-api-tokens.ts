import type { Scope } from '../../platform/scope.js';
import type { ApiToken } from '../api-token.js';
import type { Database } from '../database.service.js';

/** Columns of `api_token t` that make an `ApiToken`. */
export const API_TOKEN_COLUMNS = `t.id, t.name, t.role, t.clusters, t.namespaces, t.created_by AS "createdBy", t.created_at AS "createdAt",
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"`;

/** A row of those columns. */
export type ApiTokenRow = Omit<ApiToken, 'scope'> & Scope;

/** Makes a token of a row. */
export function toApiToken({ clusters, namespaces, ...token }: ApiTokenRow): ApiToken {
  return { ...token, scope: { clusters, namespaces } };
}

/** Conditions on `api_token t` that leave only tokens that may see no more than the caller. */
export function withinScope({ clusters, namespaces }: Scope, put: (value: unknown) => string): string[] {
  return [
    ...(clusters ? [`t.clusters <@ ${put(clusters)}::text[]`] : []),
    ...(namespaces ? [`t.namespaces <@ ${put(namespaces)}::text[]`] : []),
  ];
}

/** Lists the tokens that may see no more than the caller, the newest first, after the one with an id. */
export async function findApiTokens(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  { limit, after }: { limit: number; after?: number | undefined },
): Promise<ApiToken[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = ['true', ...withinScope(scope, put), ...(after === undefined ? [] : [`t.id < ${put(after)}`])];
  const found = await database.rows<ApiTokenRow>(
    `SELECT ${API_TOKEN_COLUMNS} FROM api_token t WHERE ${conditions.join(' AND ')} ORDER BY t.id DESC LIMIT ${put(limit)}`,
    ...params,
  );
  return found.map(toApiToken);
}

/** Counts those tokens. */
export async function countApiTokens(database: Pick<Database, 'rows'>, scope: Scope): Promise<number> {
  const params: unknown[] = [];
  const conditions = ['true', ...withinScope(scope, (value) => `$${params.push(value)}`)];
  const [row] = await database.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM api_token t WHERE ${conditions.join(' AND ')}`,
    ...params,
  );
  return row!.count;
}

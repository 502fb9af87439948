import type { NewApiToken } from '../api-token.js';
import type { ApiTokenRow } from '../queries/find-api-tokens.js';
import { API_TOKEN_COLUMNS } from '../queries/find-api-tokens.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Keeps a new token; undefined when there are `most` already. The lock makes those who count do so one after the other. */
export async function insertApiToken(
  connection: Connection,
  { name, role, scope, createdBy, expiresAt }: NewApiToken,
  hash: Uint8Array,
  most: number,
): Promise<ApiTokenRow | undefined> {
  await rows(connection, 'LOCK TABLE api_token IN SHARE ROW EXCLUSIVE MODE');
  const [made] = await rows<ApiTokenRow>(
    connection,
    `INSERT INTO api_token AS t (name, role, clusters, namespaces, created_by, expires_at, hash)
     SELECT $1, $2, $3::text[], $4::text[], $5, $6::timestamptz, $7::bytea
     WHERE (SELECT count(*) FROM api_token) < $8
     RETURNING ${API_TOKEN_COLUMNS}`,
    name,
    role,
    scope.clusters,
    scope.namespaces,
    createdBy,
    expiresAt,
    Buffer.from(hash),
    most,
  );
  return made;
}

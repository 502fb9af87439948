import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import type { ApiToken, NewApiToken } from './api-token.js';
import { ApiTokenError, MOST_API_TOKENS } from './api-token.js';
import { issueToken } from './cluster-token.service.js';
import { Database } from './database.service.js';
import type { ApiTokenRow } from './queries/find-api-tokens.js';
import { API_TOKEN_COLUMNS, countApiTokens, findApiTokens, toApiToken, withinScope } from './queries/find-api-tokens.js';
import { Registrations } from './registrations.service.js';
import { insertApiToken } from './statements/insert-api-token.js';

/** The tokens with which people and programs use the APIs. */
@Injectable()
export class ApiTokenRepository {
  constructor(
    private readonly database: Database,
    private readonly registrations: Registrations,
  ) {}

  /**
   * Makes a token. It is returned this once; only its hash is kept.
   *
   * @throws ApiTokenError when there are too many
   */
  async create(wanted: NewApiToken): Promise<{ issued: ApiToken; token: string }> {
    const { token, hash } = issueToken('cbu_');
    const made = await this.database.transaction((connection) => insertApiToken(connection, wanted, hash, MOST_API_TOKENS));
    if (!made) throw new ApiTokenError('API_TOKEN_CONFLICT', `there are ${MOST_API_TOKENS} tokens already; revoke those that nobody uses`);
    return { issued: toApiToken(made), token };
  }

  /**
   * Revokes a token at once.
   *
   * @throws ApiTokenError when there is none of that id that may see no more than the scope
   */
  async revoke(id: number, scope: Scope): Promise<ApiToken> {
    const params: unknown[] = [id];
    const conditions = ['t.id = $1', ...withinScope(scope, (value) => `$${params.push(value)}`)];
    const [gone] = await this.database.rows<ApiTokenRow>(
      `DELETE FROM api_token t WHERE ${conditions.join(' AND ')} RETURNING ${API_TOKEN_COLUMNS}`,
      ...params,
    );
    this.registrations.changed();
    if (!gone) throw new ApiTokenError('API_TOKEN_UNKNOWN', `there is no token with the id ${id}`);
    return toApiToken(gone);
  }

  /** Tokens that may see no more than the scope, the newest first, after the one with an id. */
  list(scope: Scope, page: { limit: number; after?: number | undefined }): Promise<ApiToken[]> {
    return findApiTokens(this.database.reads, scope, page);
  }

  /** Number of those tokens. */
  count(scope: Scope): Promise<number> {
    return countApiTokens(this.database.reads, scope);
  }

  /** Finds a token by its hash, so that no comparison tells anything of it; an expired one is found too. */
  async findByHash(hash: Uint8Array): Promise<ApiToken | undefined> {
    const [found] = await this.database.rows<ApiTokenRow>(
      `SELECT ${API_TOKEN_COLUMNS} FROM api_token t WHERE t.hash = $1::bytea`,
      Buffer.from(hash),
    );
    return found && toApiToken(found);
  }

  /** Notes that a token was used, to the minute of the database's clock. */
  async noteUse(id: number): Promise<void> {
    await this.database.rows(
      `UPDATE api_token SET last_used_at = date_trunc('minute', now())
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', now()))`,
      id,
    );
  }
}

import { Args, Context, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { actorOf } from '../../platform/access.js';
import { Clock } from '../../platform/clock.js';
import { RequestError } from '../../platform/refusal.js';
import type { ApiToken as KnownToken } from '../../store/api-token.js';
import { ApiTokenRepository } from '../../store/api-token.repository.js';
import type { AuditEntry as KnownEntry } from '../../store/audit-entry.js';
import { AuditRepository } from '../../store/audit.repository.js';
import { checkNewToken } from '../check-new-token.js';
import { decodeCursor, encodeCursor, listOf } from '../cursor.js';
import { checkFirst, pageOf } from '../page.js';
import { ApiToken, ApiTokenConnection, AuditEntry, AuditEntryConnection, CreateApiTokenInput, IssuedApiToken } from './access-types.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';

const PAGE = 50;
const FIRST = { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' } as const;
const AFTER = { type: () => String, nullable: true, description: 'Cursor after which to go on.' } as const;

/** Looks after the tokens of people and programs, and shows the audit log. */
@Resolver(() => ApiToken)
export class AccessResolver {
  constructor(
    private readonly tokens: ApiTokenRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @Needs('admin')
  @Query(() => ApiTokenConnection, {
    description: 'Tokens of people and programs, the newest first: those that may see no more than the caller.',
  })
  async apiTokens(
    @Args('first', FIRST) first: number | null,
    @Args('after', AFTER) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<ApiToken>> {
    const limit = checkFirst(first ?? PAGE);
    const list = listOf('apiTokens', null);
    const rows = await this.tokens.list(scope, { limit: limit + 1, after: after ? toNumber(numberAt(list, after)) : undefined });
    const page = pageOf(rows, limit, after, ({ id }) => encodeCursor(list, [String(id)]), toApiToken);
    return withTotal(page, () => this.tokens.count(scope));
  }

  @Needs('admin', { within: 'query' })
  @Mutation(() => IssuedApiToken, {
    description: 'Makes a token for a person or program. There may be 1,000 of them, expired ones included.',
  })
  async createApiToken(
    @Args('input', { type: () => CreateApiTokenInput, description: 'The token.' }) input: CreateApiTokenInput,
    @Context() { scope, caller }: GraphqlContext,
  ): Promise<{ token: string; issued: ApiToken }> {
    const wanted = checkNewToken(input, scope, this.clock.now());
    const { token, issued } = await this.tokens.create({ ...wanted, createdBy: actorOf(caller).id });
    return { token, issued: toApiToken(issued) };
  }

  @Needs('admin', { within: 'query' })
  @Mutation(() => ApiToken, {
    description: 'Revokes a token at once; other processes of the service refuse it within 10 seconds, and open streams end within 30.',
  })
  async revokeApiToken(
    @Args('id', { type: () => ID, description: 'Number of the token, as "apiTokens" lists it.' }) id: string,
    @Context() { scope }: GraphqlContext,
  ): Promise<ApiToken> {
    return toApiToken(await this.tokens.revoke(toNumber(id), scope));
  }

  @Needs('admin')
  @Query(() => AuditEntryConnection, {
    description:
      'The audit log, the latest first: what is about clusters that the caller may see, and all of it for who may see everything.',
  })
  async auditLog(
    @Args('first', FIRST) first: number | null,
    @Args('after', AFTER) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<AuditEntry>> {
    const limit = checkFirst(first ?? PAGE);
    const list = listOf('auditLog', null);
    const rows = await this.audit.list(scope, { limit: limit + 1, after: after ? numberAt(list, after) : undefined });
    const page = pageOf(rows, limit, after, ({ id }) => encodeCursor(list, [id]), toAuditEntry);
    return withTotal(page, () => this.audit.count(scope));
  }
}

function toApiToken({ scope, ...token }: KnownToken): ApiToken {
  return { ...token, ...scope };
}

function toAuditEntry({ actor, ...entry }: KnownEntry): AuditEntry {
  return { ...entry, actor: actor.id, actorName: actor.name };
}

function numberAt(list: string, cursor: string): string {
  const [part] = decodeCursor(list, cursor, ['string']);
  if (typeof part === 'string' && /^\d{1,18}$/.test(part)) return part;
  throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
}

function toNumber(id: string): number {
  if (/^[1-9]\d{0,8}$/.test(id)) return Number(id);
  throw new RequestError('BAD_INPUT', `id: expected a whole number, got ${JSON.stringify(id.slice(0, 40))}.`);
}

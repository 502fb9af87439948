import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerIdOf, hasRole, RefusalTrail, roleOf, scopeOf } from '../platform/access.js';
import type { Access, Caller, CallerCheck } from '../platform/access.js';
import { isForeignPage } from '../platform/is-foreign-page.js';
import type { PageHeaders } from '../platform/is-foreign-page.js';
import { isLoopbackHost } from '../platform/is-loopback-host.js';
import { RequestError } from '../platform/refusal.js';
import { isEverything } from '../platform/scope.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { TokenCheck } from './token-check.service.js';
import { tokenOfHeader } from './token-of-header.js';

/** Methods that change nothing; a link of any page may lead to them. */
const READING = new Set(['GET', 'HEAD']);

/**
 * Finds out who sends a request and whether its route is for them, before the body is read. A token that is sent and
 * wrong is refused even where none is needed.
 */
@Injectable()
export class AccessGuard implements CallerCheck, OnModuleInit {
  constructor(
    @Inject(INGEST_OPTIONS) private readonly options: IngestOptions,
    private readonly tokens: TokenCheck,
    private readonly http: HttpAdapterHost,
    private readonly trail: RefusalTrail,
  ) {}

  onModuleInit(): void {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    server.decorateRequest('caller');
    // After the request's head and before its body, which nobody without a right to it makes us read.
    server.addHook('preParsing', async (request) => this.check(request));
  }

  /** Notes the caller in the request. Throws RequestError UNAUTHENTICATED or FORBIDDEN when the route is not for them. */
  async check(request: FastifyRequest): Promise<void> {
    // Whoever needs the caller may ask first.
    if (request.caller !== undefined) return;
    request.caller = { kind: 'anonymous' };
    if (request.is404) return;
    const { access = 'admin', needsFullScope = false, catalogue = false } = request.routeOptions.config;
    if (access === 'open' || (catalogue && !this.options.ownKnowledge)) return;
    const caller = (request.caller = await this.#callerOf(request.headers.authorization, request.clientAddress));
    request.work.caller = callerIdOf(caller);
    const refusal = this.#refusalOf(caller, access, needsFullScope);
    if (refusal) {
      await this.refused(request);
      throw refusal;
    }
    this.checkPage(caller, request.headers, READING.has(request.method) ? 'reading' : undefined);
  }

  /** Tells the audit log that a user was refused a route. */
  async refused({ caller, method, routeOptions, params }: FastifyRequest): Promise<void> {
    if (caller.kind !== 'user') return;
    const { cluster } = (params ?? {}) as { cluster?: string };
    await this.trail.refused({ caller, action: `${method} ${routeOptions.url}`, cluster, args: {} });
  }

  async admit(authorization: string | undefined, access: Access, from?: string): Promise<Caller> {
    const caller = await this.#callerOf(authorization, from);
    const refusal = this.#refusalOf(caller, access);
    if (refusal) throw refusal;
    return caller;
  }

  checkPage(caller: Caller, headers: PageHeaders & { authorization?: string | undefined }, only?: 'reading'): void {
    const anonymous = caller.kind === 'anonymous';
    const sentByItself = anonymous || /^basic /i.test(headers.authorization ?? '');
    if (sentByItself && only !== 'reading' && isForeignPage(headers))
      throw new RequestError('FORBIDDEN', 'A page of another origin needs a token, sent as "Authorization: Bearer <token>".');
    if (anonymous && this.options.onLoopback && headers.host !== undefined && !isLoopbackHost(headers.host))
      throw new RequestError(
        'FORBIDDEN',
        'Without a token, this service is there for its own machine: ask for it as localhost or 127.0.0.1, or send a token.',
      );
  }

  #refusalOf(caller: Caller, access: Access, needsFullScope = false): RequestError | undefined {
    if (caller.kind === 'anonymous' && this.options.auth !== 'none')
      return new RequestError('UNAUTHENTICATED', 'A token is needed: send the header "Authorization: Bearer <token>".');
    if (access !== 'open' && access !== 'token' && !hasRole(caller, access)) {
      if (caller.kind === 'cluster')
        return new RequestError('FORBIDDEN', 'The token of a cluster may send events of its own cluster and diagnose; this is for people.');
      return new RequestError('FORBIDDEN', `This needs the role ${access}; the token has the role ${roleOf(caller)}.`);
    }
    if (needsFullScope && !isEverything(scopeOf(caller)))
      return new RequestError('FORBIDDEN', 'This is about all clusters, and the token may not see all of them.');
    return undefined;
  }

  async #callerOf(authorization: string | undefined, from: string | undefined): Promise<Caller> {
    if (authorization === undefined) return { kind: 'anonymous' };
    const token = tokenOfHeader(authorization);
    if (token === undefined)
      throw new RequestError(
        'UNAUTHENTICATED',
        'The Authorization header holds no token: send "Bearer <token>", or Basic with the token as the password.',
      );
    return this.tokens.callerOf(token, from);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerIdOf, hasRole, roleOf, scopeOf } from '../platform/access.js';
import type { Access, Caller, CallerCheck } from '../platform/access.js';
import { RequestError } from '../platform/refusal.js';
import { isEverything } from '../platform/scope.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { TokenCheck } from './token-check.service.js';
import { tokenOfHeader } from './token-of-header.js';

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
    const { access = 'admin', needsFullScope = false } = request.routeOptions.config;
    if (access === 'open') return;
    request.caller = await this.admit(request.headers.authorization, access, request.clientAddress);
    request.work.caller = callerIdOf(request.caller);
    if (needsFullScope && !isEverything(scopeOf(request.caller)))
      throw new RequestError('FORBIDDEN', 'This is about all clusters, and the token may not see all of them.');
  }

  async admit(authorization: string | undefined, access: Access, from?: string): Promise<Caller> {
    const caller = await this.#callerOf(authorization, from);
    if (caller.kind === 'anonymous' && this.options.auth !== 'none')
      throw new RequestError('UNAUTHENTICATED', 'A token is needed: send the header "Authorization: Bearer <token>".');
    if (access === 'open' || access === 'token' || hasRole(caller, access)) return caller;
    if (caller.kind === 'cluster')
      throw new RequestError('FORBIDDEN', 'The token of a cluster may send events of its own cluster and diagnose; this is for people.');
    throw new RequestError('FORBIDDEN', `This needs the role ${access}; the token has the role ${roleOf(caller)}.`);
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

import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '../platform/access.js';
import { RequestError } from '../platform/refusal.js';
import { hashToken } from '../store/cluster-token.service.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { KnownClusters } from './known-clusters.service.js';

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Finds out who sends a request and whether its route is for them, before the body is read. A token that is sent and
 * wrong is refused even where none is needed.
 */
@Injectable()
export class AccessGuard implements OnModuleInit {
  readonly #adminHash: Uint8Array | undefined;

  constructor(
    @Inject(INGEST_OPTIONS) private readonly options: IngestOptions,
    private readonly clusters: KnownClusters,
    private readonly http: HttpAdapterHost,
  ) {
    this.#adminHash = options.adminToken === undefined ? undefined : hashToken(options.adminToken);
  }

  onModuleInit(): void {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    server.decorateRequest('caller');
    // After the request's head and before its body, which nobody without a right to it makes us read.
    server.addHook('preParsing', async (request) => this.check(request));
  }

  /** Notes the caller in the request. Throws RequestError UNAUTHENTICATED or FORBIDDEN when the route is not for them. */
  async check(request: FastifyRequest): Promise<void> {
    request.caller = { kind: 'anonymous' };
    if (request.is404) return;
    const access = request.routeOptions.config.access ?? 'admin';
    if (access === 'open') return;
    request.caller = await this.#callerOf(request.headers.authorization);
    const { kind } = request.caller;
    if (kind === 'admin' || (kind === 'cluster' && access === 'token')) return;
    if (kind === 'anonymous' && this.options.auth === 'none') return;
    if (kind === 'anonymous')
      throw new RequestError('UNAUTHENTICATED', 'A token is needed: send the header "Authorization: Bearer <token>".');
    throw new RequestError('FORBIDDEN', 'The token of a cluster may send events of its own cluster and diagnose; this is for the admin.');
  }

  async #callerOf(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined) return { kind: 'anonymous' };
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new RequestError('UNAUTHENTICATED', 'The Authorization header is not "Bearer <token>".');
    if (this.#adminHash && timingSafeEqual(hashToken(token), this.#adminHash)) return { kind: 'admin' };
    const cluster = await this.clusters.ofToken(token);
    if (!cluster) throw new RequestError('UNAUTHENTICATED', 'The token is not known.');
    return { kind: 'cluster', id: cluster.id, name: cluster.name, provider: cluster.provider };
  }
}

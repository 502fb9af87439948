import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { hasRole } from '../platform/access.js';
import { Clock } from '../platform/clock.js';
import { RequestError } from '../platform/refusal.js';
import { mayName } from '../platform/scope.js';
import { noteInRequest } from '../platform/work-context.service.js';
import type { Cluster } from '../store/cluster.js';
import { AccessGuard } from './access.guard.js';
import { ClusterLimits } from './cluster-limits.service.js';
import { KnownClusters } from './known-clusters.service.js';
import { checkSignature } from './signature.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The cluster that the path names, on routes through which a cluster sends; set before the body is read. */
    cluster: Cluster | undefined;
  }
}

/**
 * Looks after every route under a cluster that its token opens: before the body is read, whether the cluster exists, is the
 * token's own and is not suspended, and whether there is room for the body; after it, the body's size and signature.
 */
@Injectable()
export class ClusterGuard implements OnModuleInit {
  constructor(
    private readonly access: AccessGuard,
    private readonly clusters: KnownClusters,
    private readonly limits: ClusterLimits,
    private readonly clock: Clock,
    private readonly http: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    server.decorateRequest('cluster');
    server.addHook('preParsing', async (request, reply, payload) => {
      // Nothing says that its own hook comes before this one.
      await this.access.check(request);
      return this.beforeBody(request, reply, payload as Readable);
    });
    server.addHook('preHandler', async (request) => this.afterBody(request));
  }

  /** Throws RequestError or BusyError when the body is not wanted; else returns it, to be read. */
  async beforeBody(request: FastifyRequest, reply: FastifyReply, payload: Readable): Promise<Readable> {
    const name = clusterNameOf(request);
    if (name === undefined) return payload;
    const { caller } = request;
    if (caller.kind === 'user' && !hasRole(caller, 'admin')) {
      await this.access.refused(request);
      throw new RequestError('FORBIDDEN', `Events are sent with the token of their cluster; the role ${caller.role} may not send any.`);
    }
    const cluster = caller.kind === 'user' && !mayName(caller.scope, name) ? undefined : await this.clusters.named(name);
    if (!cluster || cluster.removingAt) {
      const why = cluster ? 'is being removed' : 'is registered';
      throw new RequestError('NOT_FOUND', `${cluster ? 'The' : 'No'} cluster named ${JSON.stringify(name.slice(0, 100))} ${why}.`);
    }
    if (caller.kind === 'cluster' && caller.id !== cluster.id) {
      throw new RequestError('FORBIDDEN', `The token belongs to another cluster than ${JSON.stringify(name)}.`);
    }
    if (cluster.suspendedAt) throw new RequestError('FORBIDDEN', suspended(cluster));
    request.cluster = cluster;
    noteInRequest({ cluster: name });
    // Who went away meanwhile does not say so again: room that was taken for them now would never be given back.
    if (request.method === 'HEAD' || reply.raw.closed) return payload;
    return this.limits.admit(cluster, request.headers, payload, (done) => reply.raw.once('close', done));
  }

  /** Throws RequestError when the body is larger than the cluster's may be, or not signed as it has to be. */
  async afterBody(request: FastifyRequest): Promise<void> {
    const { cluster, headers } = request;
    if (!cluster || request.method === 'HEAD') return;
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    this.limits.checkSize(cluster, body.length);
    const signature = headers['x-casebook-signature'];
    if (typeof signature === 'string') {
      checkSignature(signature, body, await this.clusters.signingSecrets(cluster.id), this.clock.now());
    } else if (cluster.signaturesRequired) {
      throw new RequestError(
        'UNAUTHENTICATED',
        `Cluster ${JSON.stringify(cluster.name)} takes signed bodies only: send the header "X-Casebook-Signature: t=<unix seconds>,v1=<hex>".`,
      );
    }
  }
}

function clusterNameOf({ is404, routeOptions, params }: FastifyRequest): string | undefined {
  if (is404 || routeOptions.config.access !== 'token') return undefined;
  const { cluster } = (params ?? {}) as { cluster?: string };
  return cluster;
}

function suspended({ name, suspendedAt, suspendedReason }: Cluster): string {
  const reason = suspendedReason === null ? '' : `: ${suspendedReason.replace(/\.$/, '')}`;
  const since = suspendedAt!.toISOString().replace(/\.\d+Z$/, 'Z');
  return `Cluster ${JSON.stringify(name)} is suspended since ${since}${reason}. Nothing is taken from it until it is resumed.`;
}

import { Body, Controller, Head, Headers, HttpCode, Inject, Options, Param, Post, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Rejection } from '../events/cluster-event.js';
import { readBody } from '../events/read-body.js';
import { IntakeService } from '../pipeline/intake.service.js';
import type { IntakeCluster } from '../pipeline/intake.service.js';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/metrics.service.js';
import type { Counter } from '../platform/metrics.service.js';
import { inflateBody } from '../platform/inflate-body.service.js';
import { RequestError } from '../platform/refusal.js';

import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { KnownClusters } from './known-clusters.service.js';

/** What a sender is told of its body. */
export interface IntakeAnswer {
  /** Events that were new or had grown. */
  accepted: number;
  /** Events that were known already. */
  merged: number;
  rejected: readonly Rejection[];
}

/** The door that clusters send their events through. */
@Controller('v1/clusters/:cluster/events')
export class IntakeController {
  readonly #events: Counter<'cluster' | 'result'>;

  constructor(
    private readonly intake: IntakeService,
    private readonly clusters: KnownClusters,
    private readonly clock: Clock,
    @Inject(INGEST_OPTIONS) private readonly options: IngestOptions,
    metrics: Metrics,
  ) {
    this.#events = metrics.counter('casebook_intake_events_total', 'Events taken in, by cluster and what became of them.', [
      'cluster',
      'result',
    ]);
  }

  /** Takes a body of events; answers 200 once the good ones among them are durable. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'token' })
  async post(
    @Req() request: FastifyRequest,
    @Param('cluster') name: string,
    @Body() body: Uint8Array | undefined,
    @Headers('content-encoding') encoding: string | undefined,
    @Query('format') format: string | string[] | undefined,
  ): Promise<IntakeAnswer> {
    const cluster = await this.#clusterFor(request, name);
    const bytes = await inflateBody(body ?? new Uint8Array(), encoding, this.options.maxInflatedBytes);
    const { events, rejected } = readBody(bytes, { now: this.clock.now(), ...(format !== undefined && { format: String(format) }) });
    if (events.length + rejected.length > this.options.maxEvents) {
      const count = events.length + rejected.length;
      throw new RequestError('TOO_LARGE', `The body holds ${count} events; at most ${this.options.maxEvents} are taken at once.`);
    }
    const list = events.map(({ event }) => event);
    const { accepted, merged } = list.length > 0 ? await this.#submit(cluster, list) : { accepted: 0, merged: 0 };
    for (const [result, count] of Object.entries({ accepted, merged, rejected: rejected.length })) {
      if (count > 0) this.#events.inc({ cluster: name, result }, count);
    }
    return { accepted, merged, rejected };
  }

  /** As POST, for senders that only know PUT. */
  @Put()
  @RouteConfig({ access: 'token' })
  put(
    @Req() request: FastifyRequest,
    @Param('cluster') name: string,
    @Body() body: Uint8Array | undefined,
    @Headers('content-encoding') encoding: string | undefined,
    @Query('format') format: string | string[] | undefined,
  ): Promise<IntakeAnswer> {
    return this.post(request, name, body, encoding, format);
  }

  /** Some senders ask at their start whether the address is alive. */
  @Head()
  @HttpCode(200)
  @RouteConfig({ access: 'token' })
  async head(@Req() request: FastifyRequest, @Param('cluster') name: string): Promise<void> {
    await this.#clusterFor(request, name);
  }

  /** Others ask what they may do. */
  @Options()
  @HttpCode(204)
  @RouteConfig({ access: 'open' })
  options204(): void {}

  async #clusterFor({ caller }: FastifyRequest, name: string): Promise<IntakeCluster> {
    if (caller.kind === 'cluster' && caller.name === name) return caller as IntakeCluster;
    const cluster = await this.clusters.named(name);
    if (!cluster) throw new RequestError('NOT_FOUND', `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered.`);
    if (caller.kind === 'cluster')
      throw new RequestError('FORBIDDEN', `The token belongs to another cluster than ${JSON.stringify(name)}.`);
    return cluster as IntakeCluster;
  }

  async #submit(cluster: IntakeCluster, events: Parameters<IntakeService['submit']>[1]): Promise<{ accepted: number; merged: number }> {
    try {
      return await this.intake.submit(cluster, events);
    } catch (error) {
      if ((error as { code?: string }).code === 'CLUSTER_GONE') this.clusters.forget(cluster.name);
      throw error;
    }
  }
}

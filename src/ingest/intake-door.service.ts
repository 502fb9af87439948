import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ClusterEvent, ReadResult, Rejection } from '../events/cluster-event.js';
import { readBody } from '../events/read-body.js';
import { wireHeaders } from '../events/wire-headers.js';
import { Clock } from '../platform/clock.js';
import { inflateBody } from '../platform/inflate-body.service.js';
import { Metrics } from '../platform/metrics.service.js';
import type { Counter } from '../platform/metrics.service.js';
import { RequestError } from '../platform/refusal.js';
import { noteInRequest, withSpan } from '../platform/work-context.service.js';
import type { Cluster } from '../store/cluster.js';
import { ClusterLimits } from './cluster-limits.service.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { KnownClusters } from './known-clusters.service.js';
import { RefusedInput } from './refused-input.service.js';

/** What a sender is told of its body. */
export interface IntakeAnswer {
  /** Events that were new or had grown. */
  accepted: number;
  /** Events that were known already. */
  merged: number;
  rejected: readonly Rejection[];
}

/** What every door for bodies of events does: whose they are, what they hold, and storing it. */
@Injectable()
export class IntakeDoor {
  readonly #events: Counter<'cluster' | 'result'>;

  constructor(
    private readonly limits: ClusterLimits,
    private readonly clusters: KnownClusters,
    private readonly clock: Clock,
    private readonly refused: RefusedInput,
    @Inject(INGEST_OPTIONS) private readonly options: IngestOptions,
    metrics: Metrics,
  ) {
    this.#events = metrics.counter('casebook_intake_events_total', 'Events taken in, by cluster and what became of them.', [
      'cluster',
      'result',
    ]);
  }

  /**
   * Takes a request's body of events and resolves once the good ones among them are durable. `format` is the one to read
   * it in, found out when absent.
   *
   * @throws RequestError, UnreadableBodyError or BusyError when nothing of the body was stored
   */
  async take(request: FastifyRequest, name: string, format?: string): Promise<IntakeAnswer> {
    const cluster = await this.clusterFor(request, name);
    const { events, rejected } = await this.#read(cluster, async () => {
      const bytes = await inflateBody(bodyOf(request), request.headers['content-encoding'], this.options.maxInflatedBytes);
      const headers = wireHeaders(request.headers);
      return readBody(bytes, { now: this.clock.now(), headers, ...(format !== undefined && { format }) });
    });
    const count = events.length + rejected.length;
    if (count > this.options.maxEvents) {
      throw new RequestError('TOO_LARGE', `The body holds ${count} events; at most ${this.options.maxEvents} are taken at once.`);
    }
    const list = events.map(({ event }) => event);
    if (rejected.length > 0) this.refused.elements(request, rejected);
    const { accepted, merged } = list.length > 0 ? await this.#submit(cluster, list) : { accepted: 0, merged: 0 };
    noteInRequest({ accepted, merged, rejected: rejected.length });
    for (const [result, number] of Object.entries({ accepted, merged, rejected: rejected.length })) {
      if (number > 0) this.#events.inc({ cluster: name, result }, number);
    }
    return { accepted, merged, rejected };
  }

  /** The cluster of a request's path, which ClusterGuard has found before it let the request in. */
  async clusterFor({ cluster }: FastifyRequest, name: string): Promise<Cluster> {
    if (!cluster) throw new Error(`the route under cluster ${name} is not looked after by ClusterGuard`);
    return cluster;
  }

  /** Waits for the cluster's turn, unpacks and reads. */
  #read(cluster: Cluster, work: () => Promise<ReadResult>): Promise<ReadResult> {
    return withSpan('intake.read', { attributes: { 'casebook.cluster': cluster.name } }, async (span) => {
      const read = await this.limits.read(cluster.id, work);
      span?.set({ 'casebook.events': read.events.length, 'casebook.rejected': read.rejected.length });
      return read;
    });
  }

  async #submit(cluster: Cluster, events: readonly ClusterEvent[]): Promise<{ accepted: number; merged: number }> {
    const attributes = { 'casebook.cluster': cluster.name, 'casebook.events': events.length };
    try {
      return await withSpan('intake.store', { attributes }, () => this.limits.submit(cluster, events));
    } catch (error) {
      if ((error as { code?: string }).code === 'CLUSTER_GONE') this.clusters.forget(cluster.name);
      throw error;
    }
  }
}

/** Bodies come as bytes whatever their Content-Type; a request without one has none. */
function bodyOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import type { ClusterEvent } from '../events/cluster-event.js';
import { BusyError } from '../pipeline/busy-error.js';
import { FairShare, isClaim } from '../pipeline/fair-share.js';
import type { Claim } from '../pipeline/fair-share.js';
import { IntakeService } from '../pipeline/intake.service.js';
import type { IntakeCluster, Submitted } from '../pipeline/intake.service.js';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/metrics.service.js';
import type { Counter } from '../platform/metrics.service.js';
import { RequestError } from '../platform/refusal.js';
import type { Cluster } from '../store/cluster.js';
import { DatabaseUnavailableError } from '../store/database.service.js';
import { EventAllowance } from './event-allowance.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { Turns } from './turns.js';

/** Room for bodies that are being received or wait to be read, in bodies of the largest size. */
const BODIES_IN_HAND = 8;
/** Bodies that are unpacked and read at the same time, one for each cluster: this is where memory is needed most. */
const READ_AT_ONCE = 2;
/** When to come back when too much is being received, seconds: a body takes moments. */
const BODY_RETRY = 2;
/** Longest Retry-After, seconds: what a sender holds back for longer, it may lose. */
const MOST_RETRY = 300;

/**
 * Keeps one cluster from using up what all share, in this process: events per second, bodies in memory, turns at reading them. Whoever
 * exceeds a limit is told 503 and when to come back.
 */
@Injectable()
export class ClusterLimits {
  readonly #allowance = new EventAllowance();
  readonly #bodies: FairShare;
  readonly #turns = new Turns(READ_AT_ONCE);
  readonly #refused: Counter<'cluster' | 'limit'>;

  constructor(
    private readonly intake: IntakeService,
    private readonly clock: Clock,
    @Inject(INGEST_OPTIONS) private readonly options: IngestOptions,
    metrics: Metrics,
  ) {
    const most = BODIES_IN_HAND * options.maxBodyBytes;
    this.#bodies = new FairShare(most);
    metrics.gauge('casebook_intake_bodies_bytes', 'Bodies of events that are being received or wait to be read, as sent.', [], (gauge) =>
      gauge.set(this.#bodies.total),
    );
    metrics.gauge('casebook_intake_bodies_limit_bytes', 'How much of that there may be before senders are told to come back.').set(most);
    this.#refused = metrics.counter('casebook_intake_refused_total', 'Posts told to come back later, by cluster and the limit they met.', [
      'cluster',
      'limit',
    ]);
  }

  /**
   * Decides before a body is read whether it may come, and returns it to be read. `whenDone` is told what to call when the request is
   * over.
   *
   * @throws BusyError, or RequestError TOO_LARGE
   */
  admit(cluster: Cluster, headers: IncomingHttpHeaders, payload: Readable, whenDone: (done: () => void) => void): Readable {
    const rate = this.#rateOf(cluster);
    const wait = this.#allowance.waitFor(cluster.id, rate, this.clock.now());
    if (wait > 0) {
      const said = `cluster ${JSON.stringify(cluster.name)} has sent more than its ${rate} events per second`;
      throw this.#busy(cluster, 'rate', new BusyError(said, Math.min(MOST_RETRY, Math.ceil(wait))));
    }
    try {
      this.intake.checkRoom(cluster as IntakeCluster);
    } catch (error) {
      throw this.#busy(cluster, 'queue', error);
    }
    const claims: Claim[] = [];
    whenDone(() => claims.forEach((claim) => claim.release(Infinity)));
    if (headers['transfer-encoding'] === undefined) {
      const length = Number(headers['content-length'] ?? 0);
      this.checkSize(cluster, length);
      claims.push(this.#hold(cluster, length));
      return payload;
    }
    const counted = new Transform({
      transform: (chunk: Uint8Array, _encoding, next) => {
        try {
          claims.push(this.#hold(cluster, chunk.length));
          next(null, chunk);
        } catch (error) {
          next(error as Error);
        }
      },
    });
    payload.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  }

  /** Throws RequestError TOO_LARGE when a body is larger than the cluster's may be; `bytes` as sent. */
  checkSize({ name, maxBodyBytes }: Cluster, bytes: number): void {
    if (maxBodyBytes === null || bytes <= maxBodyBytes) return;
    throw new RequestError(
      'TOO_LARGE',
      `The body is larger than the ${maxBodyBytes} bytes that cluster ${JSON.stringify(name)} may send at once.`,
    );
  }

  /** Unpacks and reads a body of a cluster in its turn. */
  read<T>(clusterId: number, work: () => Promise<T> | T): Promise<T> {
    return this.#turns.run(clusterId, work);
  }

  /** Stores events and counts them against the cluster's rate. Throws as `IntakeService.submit`. */
  async submit(cluster: Cluster, events: readonly ClusterEvent[]): Promise<Submitted> {
    const rate = this.#rateOf(cluster);
    this.#allowance.charge(cluster.id, events.length, rate, this.clock.now());
    try {
      return await this.intake.submit(cluster as IntakeCluster, events);
    } catch (error) {
      const busy = error instanceof BusyError;
      // They come again, and are not to be charged twice.
      if (busy || error instanceof DatabaseUnavailableError) this.#allowance.charge(cluster.id, -events.length, rate, this.clock.now());
      throw busy ? this.#busy(cluster, 'queue', error) : error;
    }
  }

  #hold(cluster: Cluster, bytes: number): Claim {
    const claim = this.#bodies.take(cluster.id, bytes, this.clock.now());
    if (isClaim(claim)) return claim;
    const said = `${this.#bodies.total} bytes are being received, ${this.#bodies.heldBy(cluster.id)} of them of cluster ${JSON.stringify(cluster.name)}`;
    throw this.#busy(cluster, 'memory', new BusyError(said, BODY_RETRY));
  }

  #busy(cluster: Cluster, limit: 'rate' | 'queue' | 'memory', error: unknown): unknown {
    this.#refused.inc({ cluster: cluster.name, limit });
    return error;
  }

  #rateOf({ eventsPerSecond }: Cluster): number {
    return eventsPerSecond ?? this.options.eventsPerSecond;
  }
}

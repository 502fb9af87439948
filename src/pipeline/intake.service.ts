import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { Provider } from '../knowledge/problem-file.js';
import { DatabaseUnavailableError } from '../store/database.service.js';
import { IntakeRepository } from '../store/intake.repository.js';
import { applyBatch } from './apply-batch.js';
import { BusyError } from './busy-error.js';
import { recognise } from './recognise.js';
import { RecogniserService } from './recogniser.service.js';

/** The cluster that events come from. */
export interface IntakeCluster {
  id: number;
  name: string;
  provider: Provider;
}

/** What became of submitted events. */
export interface Submitted {
  /** Events that were new or had grown. */
  accepted: number;
  /** Events that were known already. */
  merged: number;
}

/** Limits of intake; the defaults suit a small server. */
export interface IntakeLimits {
  /** Most events of one transaction. */
  batch: number;
  /** Events waiting or being written at which senders are asked to come back; one counts for every 4,096 characters of text. */
  high: number;
  /** Clusters written at the same time; each takes one connection. */
  writers: number;
}

interface Job {
  events: readonly ClusterEvent[];
  weight: number;
  resolve: (submitted: Submitted) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  cluster: IntakeCluster;
  jobs: Job[];
  running: boolean;
}

/**
 * Takes events of all clusters and writes them in batches. Each cluster has a lane of its own: what arrives while a batch
 * is being written goes into the next one, so that many small posts share a commit. Waiting lanes take turns.
 */
@Injectable()
export class IntakeService implements OnApplicationShutdown {
  readonly #lanes = new Map<number, Lane>();
  readonly #waiting: Lane[] = [];
  #inHand = 0;
  #writing = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(
    private readonly repository: IntakeRepository,
    private readonly recognisers: RecogniserService,
    private readonly limits: IntakeLimits,
  ) {}

  /** Events that are waiting or being written; long ones count more than once. */
  get inHand(): number {
    return this.#inHand;
  }

  /**
   * Stores events of a cluster and resolves once they are durable. Submitting the same events again is harmless.
   *
   * @throws BusyError when too much is in hand or the service is stopping
   * @throws DatabaseUnavailableError when the database does not answer; nothing or a part was stored, a repeat is safe
   * @throws ClusterGoneError when the cluster was removed meanwhile
   */
  submit(cluster: IntakeCluster, events: readonly ClusterEvent[]): Promise<Submitted> {
    if (this.#closed) return Promise.reject(new BusyError('the service is stopping', 5));
    const weight = weightOf(events);
    // One body may exceed the limit, but only when nothing else waits.
    if (this.#inHand > 0 && this.#inHand + weight > this.limits.high) {
      return Promise.reject(new BusyError(`${this.#inHand} events are waiting to be stored`, 2));
    }
    this.#inHand += weight;
    return new Promise<Submitted>((resolve, reject) => {
      const lane = this.#laneOf(cluster);
      lane.jobs.push({ events, weight, resolve, reject });
      if (!lane.running && lane.jobs.length === 1) this.#waiting.push(lane);
      this.#start();
    }).finally(() => {
      this.#inHand -= weight;
    });
  }

  /** Finishes what was taken in, then resolves. */
  async onApplicationShutdown(): Promise<void> {
    this.#closed = true;
    if (this.#writing > 0 || this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #laneOf(cluster: IntakeCluster): Lane {
    const lane = this.#lanes.get(cluster.id) ?? { cluster, jobs: [], running: false };
    lane.cluster = cluster;
    this.#lanes.set(cluster.id, lane);
    return lane;
  }

  #start(): void {
    while (this.#writing < this.limits.writers) {
      const lane = this.#waiting.shift();
      if (!lane) break;
      this.#writing++;
      lane.running = true;
      void this.#write(lane, this.#take(lane)).finally(() => this.#finish(lane));
    }
  }

  #finish(lane: Lane): void {
    this.#writing--;
    lane.running = false;
    if (lane.jobs.length > 0) this.#waiting.push(lane);
    else this.#lanes.delete(lane.cluster.id);
    this.#start();
    if (this.#writing === 0) this.#idle?.();
  }

  /** Takes as many waiting jobs as fit into one batch, at least one. */
  #take(lane: Lane): Job[] {
    let weight = 0;
    const fitting = lane.jobs.findIndex((job, i) => (weight += job.weight) > this.limits.batch && i > 0);
    return lane.jobs.splice(0, fitting < 0 ? lane.jobs.length : fitting);
  }

  async #write(lane: Lane, jobs: readonly Job[]): Promise<void> {
    try {
      const accepted = await this.#apply(
        lane.cluster,
        jobs.flatMap((job) => job.events),
      );
      let from = 0;
      for (const job of jobs) {
        const own = accepted.slice(from, (from += job.events.length)).filter(Boolean).length;
        job.resolve({ accepted: own, merged: job.events.length - own });
      }
    } catch (error) {
      if (jobs.length === 1 || error instanceof DatabaseUnavailableError) for (const job of jobs) job.reject(error);
      // One sender's trouble is not another's: each gets its own transaction.
      else for (const job of jobs) await this.#write(lane, [job]);
    }
  }

  /** Applies events in slices of at most one batch; tells for each whether it was new or had grown. */
  async #apply(cluster: IntakeCluster, events: readonly ClusterEvent[]): Promise<boolean[]> {
    const accepted: boolean[] = [];
    for (let from = 0; from < events.length; from += this.limits.batch) {
      const recogniser = this.recognisers.current();
      const severityOf = (problemId: string): string => recogniser.knowledge.byId.get(problemId)?.severity ?? 'error';
      const deliveries = events.slice(from, from + this.limits.batch).map((event) => recognise(recogniser, event, cluster.provider));
      const applied = await this.repository.transaction(cluster.id, (transaction) => applyBatch(transaction, deliveries, severityOf));
      accepted.push(...applied.accepted);
    }
    return accepted;
  }
}

/** What events take of the room in hand. */
function weightOf(events: readonly ClusterEvent[]): number {
  return events.reduce((sum, { message }) => sum + 1 + (message.length >> 12), 0);
}

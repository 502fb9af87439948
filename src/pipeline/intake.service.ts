import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { ClusterEvent } from '../events/cluster-event.js';
import type { Provider } from '../knowledge/problem-file.js';
import type { MessageMask } from '../platform/message-mask.js';
import type { Metrics } from '../platform/metrics.service.js';
import { redactSecrets } from '../platform/redact-secrets.js';
import type { WorkContext } from '../platform/work-context.service.js';
import { currentContext, inContext, withSpan } from '../platform/work-context.service.js';
import { DatabaseUnavailableError } from '../store/database.service.js';
import { IntakeRepository } from '../store/intake.repository.js';
import { applyBatch } from './apply-batch.js';
import { BusyError } from './busy-error.js';
import { countHeard } from './count-heard.js';
import { FairShare, isClaim } from './fair-share.js';
import type { Claim, NoRoom } from './fair-share.js';
import type { IntakeMeter } from './intake-meter.js';
import { measureIntake } from './intake-meter.js';
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
  submittedAt: number;
  /** Events that are durable or being written. */
  begun: number;
  written: number;
  accepted: number;
  claim: Claim;
  /** What is known of the request that submitted them. */
  context: WorkContext | undefined;
  resolve: (submitted: Submitted) => void;
  reject: (error: unknown) => void;
}

/** Events of a job that go into one transaction. */
interface Piece {
  job: Job;
  events: readonly ClusterEvent[];
  weight: number;
}

interface Lane {
  cluster: IntakeCluster;
  jobs: Job[];
  running: boolean;
}

/** When the service is stopping, or nothing is known of its pace yet: when to come back, seconds. */
const STOPPING_RETRY = 5;
const MOST_RETRY = 60;
/** First guess of what an event costs, milliseconds. */
const FIRST_PACE = 1;

/**
 * Takes events of all clusters and writes them in batches. Each cluster has a lane of its own: what arrives while a batch
 * is being written goes into the next one, so that many small posts share a commit. Waiting lanes take turns, a batch each, so
 * that a cluster with much to write delays another by a batch at most; and none may fill the room for what waits (FairShare).
 */
@Injectable()
export class IntakeService implements OnApplicationShutdown {
  readonly #lanes = new Map<number, Lane>();
  readonly #waiting: Lane[] = [];
  readonly #room: FairShare;
  #writing = 0;
  /** Milliseconds that an event takes, of late. */
  #pace = FIRST_PACE;
  #closed = false;
  #idle: (() => void) | undefined;
  readonly #meter: IntakeMeter | undefined;

  /** Told among the metrics, if there are any. */
  constructor(
    private readonly repository: IntakeRepository,
    private readonly recognisers: RecogniserService,
    private readonly limits: IntakeLimits,
    private readonly mask: MessageMask = redactSecrets,
    metrics?: Metrics,
  ) {
    this.#room = new FairShare(limits.high);
    this.#meter = metrics && measureIntake(metrics, limits.high, () => this.inHand);
  }

  /** Events that are waiting or being written; long ones count more than once. */
  get inHand(): number {
    return this.#room.total;
  }

  /** Throws BusyError when not even one event of the cluster would be taken now; so a body need not be read. */
  checkRoom(cluster: IntakeCluster): void {
    if (this.#closed) throw stopping();
    const refused = this.#room.refuses(cluster.id, 1, performance.now());
    if (refused) throw this.#busy(cluster, refused);
  }

  /**
   * Stores events of a cluster and resolves once they are durable. Submitting the same events again is harmless.
   *
   * @throws BusyError when too much is in hand or the service is stopping
   * @throws DatabaseUnavailableError when the database does not answer; nothing or a part was stored, a repeat is safe
   * @throws ClusterGoneError when the cluster was removed meanwhile
   */
  submit(cluster: IntakeCluster, events: readonly ClusterEvent[]): Promise<Submitted> {
    if (this.#closed) return Promise.reject(stopping());
    if (events.length === 0) return Promise.resolve({ accepted: 0, merged: 0 });
    const weight = events.reduce((sum, event) => sum + weightOf(event), 0);
    const submittedAt = performance.now();
    const claim = this.#room.take(cluster.id, weight, submittedAt);
    if (!isClaim(claim)) return Promise.reject(this.#busy(cluster, claim));
    return new Promise<Submitted>((resolve, reject) => {
      const lane = this.#laneOf(cluster);
      lane.jobs.push({ events, submittedAt, begun: 0, written: 0, accepted: 0, claim, context: currentContext(), resolve, reject });
      if (!lane.running && lane.jobs.length === 1) this.#waiting.push(lane);
      this.#start();
    }).finally(() => claim.release(weight));
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

  #busy({ id, name }: IntakeCluster, { excess }: NoRoom): BusyError {
    const lanes = Math.max(1, Math.min(this.#lanes.size, this.limits.writers));
    const seconds = Math.ceil((excess * this.#pace * Math.max(1, this.#lanes.size)) / lanes / 1000);
    const said = `${this.inHand} events are waiting to be stored, ${this.#room.heldBy(id)} of them of cluster ${JSON.stringify(name)}`;
    return new BusyError(said, Math.max(1, Math.min(MOST_RETRY, seconds)));
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

  /** Takes as much of the waiting jobs as fits into one batch, at least one event. */
  #take(lane: Lane): Piece[] {
    const pieces: Piece[] = [];
    let room = this.limits.batch;
    for (const job of lane.jobs) {
      const from = job.begun;
      let weight = 0;
      while (job.begun < job.events.length) {
        const next = weightOf(job.events[job.begun]!);
        if (next > room && (pieces.length > 0 || weight > 0)) break;
        weight += next;
        room -= next;
        job.begun++;
      }
      if (from === 0 && job.begun > 0) this.#meter?.waited(performance.now() - job.submittedAt);
      if (job.begun > from) pieces.push({ job, events: job.events.slice(from, job.begun), weight });
      if (job.begun < job.events.length) break;
    }
    lane.jobs = lane.jobs.filter((job) => job.begun < job.events.length);
    return pieces;
  }

  async #write(lane: Lane, pieces: readonly Piece[]): Promise<void> {
    try {
      const began = performance.now();
      const accepted = await this.#applyFor(lane.cluster, pieces);
      this.#notePace(performance.now() - began, pieces);
      let from = 0;
      for (const { job, events, weight } of pieces) {
        job.accepted += accepted.slice(from, (from += events.length)).filter(Boolean).length;
        job.written += events.length;
        job.claim.release(weight);
        if (job.written === job.events.length) job.resolve({ accepted: job.accepted, merged: job.written - job.accepted });
      }
    } catch (error) {
      if (pieces.length === 1 || error instanceof DatabaseUnavailableError) {
        const failed = new Set(pieces.map(({ job }) => job));
        lane.jobs = lane.jobs.filter((job) => !failed.has(job));
        for (const job of failed) job.reject(error);
      }
      // One sender's trouble is not another's: each gets its own transaction.
      else for (const piece of pieces) await this.#write(lane, [piece]);
    }
  }

  #notePace(took: number, pieces: readonly Piece[]): void {
    const weight = pieces.reduce((sum, piece) => sum + piece.weight, 0);
    this.#pace += (took / weight - this.#pace) * Math.min(1, weight / this.limits.batch) * 0.2;
  }

  /** Applies a batch, for the trace of the request that came first; the others are linked to it. */
  #applyFor(cluster: IntakeCluster, pieces: readonly Piece[]): Promise<readonly boolean[]> {
    const events = pieces.flatMap((piece) => piece.events);
    const [first, ...others] = pieces.flatMap(({ job: { context } }) => (context?.span ? context : []));
    const links = others.flatMap(({ span }) => span ?? []);
    const attributes = { 'casebook.cluster': cluster.name, 'casebook.events': events.length, 'casebook.requests': pieces.length };
    return inContext(first, () => withSpan('intake.batch', { attributes, links }, () => this.#apply(cluster, events)));
  }

  /** Applies one batch of events; tells for each whether it was new or had grown. */
  async #apply(cluster: IntakeCluster, events: readonly ClusterEvent[]): Promise<readonly boolean[]> {
    const recogniser = this.recognisers.current();
    // Every door leads here, and everything after it, what is recognised and captured included, knows the masked text only.
    const began = performance.now();
    const deliveries = await withSpan('intake.match', {}, async () =>
      events.map((event) => recognise(recogniser, maskEvent(event, this.mask), cluster.provider)),
    );
    const matchedAt = performance.now();
    this.#meter?.matched(events.length, matchedAt - began);
    try {
      const { accepted } = await withSpan('intake.commit', {}, () =>
        this.repository.transaction(cluster.id, async (transaction) => {
          const result = await applyBatch(transaction, deliveries);
          await countHeard(transaction, deliveries, result.accepted);
          return result;
        }),
      );
      this.#meter?.written('stored', performance.now() - matchedAt);
      this.#meter?.stored(deliveries, accepted);
      return accepted;
    } catch (error) {
      this.#meter?.written('failed', performance.now() - matchedAt);
      throw error;
    }
  }
}

function maskEvent(event: ClusterEvent, mask: MessageMask): ClusterEvent {
  const message = mask(event.message);
  return message === event.message ? event : { ...event, message };
}

function stopping(): BusyError {
  return new BusyError('the service is stopping', STOPPING_RETRY);
}

/** What an event takes of the room in hand: one, and one more for every 4,096 characters of its text. */
function weightOf({ message }: ClusterEvent): number {
  return 1 + (message.length >> 12);
}

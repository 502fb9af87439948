import { KubeConfig } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { deliverEvents } from '../../src/ingest/watch/deliver-events.service.js';
import { followEvents } from '../../src/ingest/watch/follow-events.watcher.js';
import type { FollowedBatch, FollowOptions, UnfollowedKind, WatchState, WatchTiming } from '../../src/ingest/watch/followed-cluster.js';
import { IntakeService } from '../../src/pipeline/intake.service.js';
import type { IntakeCluster } from '../../src/pipeline/intake.service.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import type { RecogniserService } from '../../src/pipeline/recogniser.service.js';
import { findOpenObjects } from '../../src/store/queries/find-open-objects.js';
import type { ApiServerUnderTest } from './api-server-under-test.js';
import type { IncidentState, TestIntake } from './stream.js';

/** Short enough for a test; the proportions are those of the service. */
export const SHORT_TIMING: WatchTiming = {
  pageSize: 500,
  batchSize: 500,
  watchSeconds: 20,
  idleMs: 25_000,
  answerMs: 10_000,
  firstDelayMs: 20,
  longestDelayMs: 400,
  objectsEveryMs: 50,
};

let clusters = 0;

/** A cluster that is followed from an API server into the real intake, and what was seen of it. */
export class FollowedCluster {
  /** Every state that was told, in order. */
  readonly states: WatchState[] = [];
  /** Every batch that was delivered, in order. */
  readonly batches: FollowedBatch[] = [];
  /** Kinds that could not be followed when it was told last. */
  unfollowed: readonly UnfollowedKind[] = [];
  /** Position up to which everything is durable, kept through `stop` and `follow`. */
  position: string | undefined;
  /** KubeConfigs that were made. */
  connects = 0;
  /** Called before a batch is stored; what it returns is waited for. */
  beforeDelivery: (batch: FollowedBatch) => Promise<void> | void = () => undefined;
  #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  readonly #service: IntakeService;

  private constructor(
    readonly cluster: IntakeCluster,
    private readonly intake: TestIntake,
    recogniser: Recogniser,
    private readonly makeConfig: () => KubeConfig,
  ) {
    this.#service = new IntakeService(intake.repository, { current: () => recogniser } as RecogniserService, {
      batch: 1000,
      high: 20_000,
      writers: 2,
    });
  }

  /** Registers a cluster; nothing is followed yet. */
  static async register(intake: TestIntake, recogniser: Recogniser, connect: () => KubeConfig): Promise<FollowedCluster> {
    const name = `followed-${clusters++}`;
    const cluster = { id: await intake.cluster(name), name, provider: 'kubernetes' } as IntakeCluster;
    return new FollowedCluster(cluster, intake, recogniser, connect);
  }

  /** Begins to follow from where it was left. */
  follow(timing: Partial<WatchTiming> = {}, over: Partial<FollowOptions> = {}): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#done = followEvents({
      connect: async () => {
        this.connects++;
        return this.makeConfig();
      },
      resumeFrom: this.position,
      deliver: (batch) => this.#deliver(batch, signal),
      tell: (state) => void this.states.push(state),
      signal,
      objects: {
        findOpen: async (kinds, after, limit) => {
          const objects = await findOpenObjects(this.intake.database, this.cluster.id, { kinds, after, limit });
          return { objects, next: objects.length === limit ? objects.at(-1)!.key : undefined };
        },
        tell: (unfollowed) => (this.unfollowed = unfollowed),
        tellFailure: (error) => {
          throw error;
        },
      },
      now: Date.now,
      random: () => 0,
      delay,
      timing: { ...SHORT_TIMING, ...timing },
      ...over,
    });
    // A failure is seen by whoever stops it; until then it must not end the process.
    this.#done.catch(() => undefined);
  }

  /** Ends the follow and resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  /** Resolves, or rejects, when the follow ends by itself. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** The latest state of all. */
  get state(): WatchState | undefined {
    return this.states.at(-1);
  }

  /** Codes of the faults so far. */
  get faults(): string[] {
    return this.states.flatMap((state) => (state.phase === 'waiting' ? [state.code] : []));
  }

  /** How often all Events were read. */
  get lists(): number {
    return this.states.filter(({ phase }) => phase === 'listing').length;
  }

  /** How often of these because the position had expired. */
  get expiries(): number {
    return this.states.filter((state) => state.phase === 'listing' && state.because === 'expired').length;
  }

  /** Waits until it watches, and not only did so before. */
  async watching(): Promise<void> {
    await this.until(
      () => this.state?.phase === 'watching',
      () => `it watches: ${JSON.stringify(this.state)}`,
    );
  }

  /** Waits until the Events of these names are stored with these counts, and nothing else is. */
  async stored(counts: Record<string, number>): Promise<void> {
    const wanted = JSON.stringify(Object.entries(counts).sort());
    let seen = '';
    await this.until(
      async () => (seen = JSON.stringify(Object.entries(await this.counts()).sort())) === wanted,
      () => `stored: ${seen.slice(0, 500)}, wanted: ${wanted.slice(0, 500)}; ${JSON.stringify(this.states.slice(-5))}`,
    );
  }

  /** Counts of the stored Events of the cluster, added up by the Pod that they are about. */
  async counts(): Promise<Record<string, number>> {
    const found = await this.intake.database.rows<{ name: string; count: number }>(
      `SELECT name, sum(count)::int AS count FROM event WHERE cluster_id = $1 AND reporter <> 'casebook' GROUP BY name`,
      this.cluster.id,
    );
    return Object.fromEntries(found.map(({ name, count }) => [name, count]));
  }

  /** The incidents of the cluster. */
  incidents(): Promise<IncidentState[]> {
    return this.intake.state(this.cluster.id);
  }

  /** Occurrences of all incidents: what would be more if anything were counted twice. */
  async occurrences(): Promise<number> {
    return (await this.incidents()).reduce((sum, { occurrences }) => sum + occurrences, 0);
  }

  /** Waits until something is so. */
  async until(holds: () => boolean | Promise<boolean>, otherwise: () => string): Promise<void> {
    await vi.waitFor(
      async () => {
        if (!(await holds())) throw new Error(`it was expected that ${otherwise()}`);
      },
      { timeout: 25_000, interval: 20 },
    );
  }

  async #deliver(batch: FollowedBatch, signal: AbortSignal): Promise<void> {
    await this.beforeDelivery(batch);
    await deliverEvents(this.cluster, batch.events, { intake: this.#service, signal, delay, tellWaiting: () => undefined });
    this.batches.push(batch);
    if (batch.position !== undefined) this.position = batch.position;
  }
}

/** A KubeConfig for a server, with its token of this moment. */
export function kubeConfigOf({ url, ca, token }: Pick<ApiServerUnderTest, 'url' | 'ca' | 'token'>): KubeConfig {
  const config = new KubeConfig();
  const caData = Buffer.from(ca).toString('base64');
  config.loadFromClusterAndUser({ name: 'cluster', server: url, caData, skipTLSVerify: false }, { name: 'casebook', token });
  return config;
}

/** Waits, or less when the signal is aborted. */
async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { IntakeService } from '../../pipeline/intake.service.js';
import { Clock } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { detached } from '../../platform/work-context.service.js';
import { RefusedInput } from '../refused-input.service.js';
import type { TakenLease } from '../../store/watch-lease.js';
import { WatchRepository } from '../../store/watch.repository.js';
import { ClusterWatch } from './cluster-watch.service.js';
import { shareLeases } from './share-leases.js';
import { WATCH_OPTIONS } from './watch-options.js';
import type { WatchOptions } from './watch-options.js';
import { WatchSources } from './watch-sources.service.js';
import { WatchStates } from './watch-states.service.js';

/** When a round comes that was brought forward, milliseconds; changes of that time share it. */
const SOON = 200;

/**
 * Shares the clusters that are to be watched with the other replicas, by leases in the database, and runs a watch for each that this
 * one holds. Leases run by the database's clock; whether one may have lapsed is judged here by a clock that nobody sets.
 */
@Injectable()
export class WatchSupervisor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** This process, and no other before or after it. */
  readonly #me = { id: randomUUID(), name: `${hostname()}:${process.pid}` };
  readonly #watches = new Map<number, ClusterWatch>();
  readonly #ending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  /** When the renewal that last succeeded was begun, by the monotonic clock, milliseconds. */
  #renewedAt = performance.now();
  #failing = false;
  /** Whether something changed while a round was under way. */
  #hurry = false;
  #stopped = false;

  constructor(
    private readonly watches: WatchRepository,
    private readonly sources: WatchSources,
    private readonly states: WatchStates,
    private readonly intake: IntakeService,
    private readonly refused: RefusedInput,
    private readonly clock: Clock,
    @Inject(WATCH_OPTIONS) private readonly options: WatchOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    states.follow(() =>
      [...this.#watches.values()].map(({ lease, report }) => ({ cluster: lease.cluster.name, mode: lease.mode, report })),
    );
  }

  onApplicationBootstrap(): void {
    this.#watchdog = setInterval(() => this.#stopWhatMayHaveLapsed(), Math.ceil(this.options.renewEvery / 4)).unref();
    this.#schedule(0);
  }

  /** Ends every watch and gives its lease back, so that another replica need not wait for the leases to lapse. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watchdog);
    for (const watch of this.#watches.values()) watch.stop();
    await Promise.all([this.#round, ...[...this.#watches.values()].map(({ done }) => done), ...this.#ending]);
    await this.watches.retire(this.#me.id).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the watch leases could not be given back; they lapse by themselves');
    });
  }

  #schedule(delay: number): void {
    if (this.#stopped) return;
    const round = (): void => {
      this.#timer = undefined;
      this.#round = this.#share()
        .then(
          () => this.#tellFailure(undefined),
          (error: unknown) => this.#tellFailure(error),
        )
        .finally(() => this.#schedule(this.#hurry ? SOON : this.options.renewEvery));
      this.#hurry = false;
    };
    this.#timer = detached(() => setTimeout(round, delay).unref());
  }

  /** What the others and the API know of a watch comes with its renewal, so a change brings the next one forward. */
  #shareSoon(): void {
    if (this.#timer === undefined) {
      this.#hurry = true;
    } else {
      clearTimeout(this.#timer);
      this.#schedule(SOON);
    }
  }

  /** One round: say that we live, renew, see what there is to share, give back, take. */
  async #share(): Promise<void> {
    const { leaseTtl } = this.options;
    const begun = performance.now();
    await this.watches.beat({ ...this.#me, configured: await this.sources.configured() }, leaseTtl);
    const held = [...this.#watches.values()];
    const kept = new Set(
      await this.watches.renew(
        this.#me.id,
        held.map(({ report }) => report),
        leaseTtl,
      ),
    );
    this.#renewedAt = begun;
    for (const watch of held) if (!kept.has(watch.lease.cluster.id)) this.#lose(watch);
    const { replicas, leases } = await this.watches.shares();
    const { take, giveBack } = shareLeases(this.#me.id, replicas, leases);
    const there = new Set(leases.map(({ clusterId }) => clusterId));
    for (const [clusterId, watch] of this.#watches) {
      // One that is not shared any more belongs to a cluster that was suspended or removed.
      if (giveBack.includes(clusterId) || !there.has(clusterId)) this.#giveBack(watch);
    }
    const wanted = take.filter((id) => !this.#watches.has(id)).map((clusterId) => ({ clusterId, mode: this.sources.modeOf(clusterId) }));
    if (this.#stopped) return;
    for (const lease of await this.watches.take(this.#me, wanted, leaseTtl)) this.#start(lease);
  }

  #start(lease: TakenLease): void {
    const { cluster, mode, lapsedHolder } = lease;
    const watch = new ClusterWatch(lease, {
      connect: (wanted) => this.sources.connect(wanted),
      intake: this.intake,
      watches: this.watches,
      now: () => this.clock.now(),
      changed: () => this.#shareSoon(),
      tell: (said) => {
        this.states.count(cluster.name, said);
        this.refused.watched(cluster.name, watch.report.server ?? '', said.refused ?? []);
      },
    });
    this.#watches.set(cluster.id, watch);
    if (lapsedHolder !== null) this.states.countTakeover();
    this.logger.info(
      { cluster: cluster.name, mode, ...(lapsedHolder !== null && { from: lapsedHolder }) },
      'this replica watches the cluster',
    );
    void watch.done.then(() => {
      if (this.#watches.get(cluster.id) === watch) this.#watches.delete(cluster.id);
    });
    if (this.#stopped) watch.stop();
  }

  #lose(watch: ClusterWatch): void {
    if (watch.isEnding) return;
    watch.stop();
    this.logger.info({ cluster: watch.lease.cluster.name }, 'this replica does not watch the cluster any more');
  }

  /** The lease is kept until the watch has stored what it had in hand; only then may another begin where it ended. */
  #giveBack(watch: ClusterWatch): void {
    if (watch.isEnding) return;
    this.#lose(watch);
    const given = watch.done
      .then(() => this.watches.release(this.#me.id, [watch.lease.epoch]))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a watch lease could not be given back; it lapses by itself'))
      .finally(() => this.#ending.delete(given));
    this.#ending.add(given);
  }

  #stopWhatMayHaveLapsed(): void {
    if (performance.now() - this.#renewedAt < this.options.leaseTtl) return;
    for (const watch of this.#watches.values()) this.#lose(watch);
  }

  /** A database that is away is told once, and once when it is back. */
  #tellFailure(error: unknown): void {
    if (error !== undefined && !this.#failing)
      this.logger.warn({ err: error }, 'watch leases could not be renewed and will be tried again');
    this.#failing = error !== undefined;
  }
}

import type { KubeConfig } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rejection } from '../../events/cluster-event.js';
import { noteRefused } from '../../events/refused-element.js';
import type { IntakeCluster, IntakeService } from '../../pipeline/intake.service.js';
import { redactSecrets } from '../../platform/redact-secrets.js';
import type { LeaseReport } from '../../store/statements/renew-watch-leases.js';
import type { TakenLease } from '../../store/watch-lease.js';
import type { WatchRepository } from '../../store/watch.repository.js';
import { deliverEvents } from './deliver-events.service.js';
import { followEvents } from './follow-events.watcher.js';
import type { FollowedBatch, OpenObject, WatchState } from './followed-cluster.js';
import { reportAfter } from './report-after.js';

/** What a watch tells of its work. */
export interface WatchSaid {
  accepted?: number;
  merged?: number;
  /** What was read and cannot be stored. */
  refused?: readonly Rejection[];
  /** A fault of the watch itself, which begins anew. */
  failed?: unknown;
  /** Why the objects that something is open about could not be looked up. */
  lookFailed?: unknown;
}

/** What a watch needs of the service around it. */
export interface WatchSurroundings {
  /** Makes a connection to the cluster, from files and the database as they are now. */
  connect: (cluster: { id: number; name: string }) => Promise<KubeConfig>;
  intake: Pick<IntakeService, 'submit'>;
  watches: Pick<WatchRepository, 'storePosition' | 'openObjects'>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told when it begins to do something else: whoever reports of it may want to do so now. */
  changed: () => void;
  /** Told what was read and stored, for metrics and the log. */
  tell: (said: WatchSaid) => void;
}

/** The lease was lost: another replica has the cluster, or nobody is to watch it any more. */
export class LeaseLostError extends Error {
  readonly code = 'LEASE_LOST';
}

const RESTART_DELAY = 1_000;
const LONGEST_RESTART_DELAY = 30_000;

/**
 * Follows one cluster under one lease: every batch goes into intake, and then, fenced by the lease's epoch, its position is
 * stored. It ends when it is stopped, when the lease turns out to be lost, or when the cluster is gone; all else is tried again.
 */
export class ClusterWatch {
  /** Resolves when nothing of it runs any more; never rejects. */
  readonly done: Promise<void>;
  readonly #ending = new AbortController();
  #report: LeaseReport;
  #position: string | undefined;
  #positionServer: string | undefined;
  /** True when the server behind the name has become another one, whose positions mean something else. */
  #moved = false;

  constructor(
    readonly lease: TakenLease,
    private readonly around: WatchSurroundings,
  ) {
    const { cluster, epoch, position, positionServer } = lease;
    this.#position = position ?? undefined;
    this.#positionServer = positionServer ?? undefined;
    const { id: clusterId } = cluster;
    this.#report = { clusterId, epoch, phase: 'connecting', since: around.now(), server: positionServer, error: null, unfollowed: [] };
    this.done = this.#run();
  }

  /** What is to be said of it with the next renewal. */
  get report(): LeaseReport {
    return this.#report;
  }

  /** Whether it has ended or is about to. */
  get isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Ends it; `done` tells when. */
  stop(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#ending.signal.aborted;) {
      const before = this.#position;
      try {
        await this.#follow();
        if (!this.#moved && !this.#ending.signal.aborted) throw new Error('the watch ended although nobody stopped it');
      } catch (error) {
        const { code } = error as { code?: string };
        if (this.#moved) continue;
        if (this.#ending.signal.aborted || code === 'LEASE_LOST' || code === 'CLUSTER_GONE') break;
        // A fault of ours: the cluster is not to be left unwatched for it.
        this.around.tell({ failed: error });
        failures = this.#position === before ? failures + 1 : 1;
        this.#note({
          phase: 'waiting',
          code: 'SERVER_ERROR',
          message: 'Casebook failed at this watch; its log tells why.',
          delayMs: 0,
          failures,
        });
        await pause(Math.min(LONGEST_RESTART_DELAY, RESTART_DELAY * 2 ** (failures - 1)), this.#ending.signal);
      }
    }
    this.#note({ phase: 'stopped' });
    this.#ending.abort();
  }

  async #follow(): Promise<void> {
    const attempt = new AbortController();
    const signal = AbortSignal.any([this.#ending.signal, attempt.signal]);
    this.#moved = false;
    await followEvents({
      connect: async () => {
        const config = await this.around.connect(this.lease.cluster);
        const server = config.getCurrentCluster()!.server;
        if (this.#position !== undefined && server !== this.#positionServer) {
          // Resource versions of one server say nothing to another: begin with a list.
          this.#position = undefined;
          this.#moved = true;
          attempt.abort();
        }
        this.#positionServer = server;
        this.#report = { ...this.#report, server };
        return config;
      },
      resumeFrom: this.#position,
      deliver: (batch) => this.#deliver(batch, signal),
      tell: (state) => this.#note(state),
      signal,
      objects: {
        findOpen: (kinds, after, limit) => this.#findOpen(kinds, after, limit),
        tell: (unfollowed) => {
          this.#report = { ...this.#report, unfollowed };
        },
        tellFailure: (error) => this.around.tell({ lookFailed: error }),
      },
      now: this.around.now,
      random: Math.random,
      delay: pause,
    });
  }

  async #deliver({ events, rejected, position }: FollowedBatch, signal: AbortSignal): Promise<void> {
    const cluster = this.lease.cluster as IntakeCluster;
    const { intake, now } = this.around;
    // It gets on: what went wrong before is over.
    if (this.#report.phase === 'backing-off') this.#report = { ...this.#report, phase: 'listing', since: now(), error: null };
    const tellWaiting = (reason: string | null): void => {
      const error = reason === null ? null : { code: 'BUSY', message: redactSecrets(`Events wait to be stored: ${reason}.`), at: now() };
      this.#report = { ...this.#report, error };
    };
    const { accepted, merged, refused } = await deliverEvents(cluster, events, { intake, signal, delay: pause, tellWaiting });
    const unstorable = refused.map(({ event, error }) => noteRefused({ index: events.indexOf(event), reason: String(error) }, event));
    this.around.tell({ accepted, merged, refused: [...rejected, ...unstorable] });
    if (position !== undefined && position !== this.#position) await this.#store(position, signal, tellWaiting);
  }

  /** A position that was not stored costs repeats only, but the next one may be long in coming: it waits for the database too. */
  async #store(position: string, signal: AbortSignal, tellWaiting: (reason: string | null) => void): Promise<void> {
    const { cluster, epoch } = this.lease;
    const server = this.#positionServer!;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        if (!(await this.around.watches.storePosition({ clusterId: cluster.id, epoch, position, server }))) throw new LeaseLostError();
        this.#position = position;
        if (attempt > 0) tellWaiting(null);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== 'DATABASE_UNAVAILABLE') throw error;
        tellWaiting((error as Error).message);
        await pause(Math.min(5_000, 200 * 2 ** attempt), signal);
      }
    }
  }

  async #findOpen(
    kinds: readonly string[],
    after: string,
    limit: number,
  ): Promise<{ objects: readonly OpenObject[]; next: string | undefined }> {
    const objects = await this.around.watches.openObjects(this.lease.cluster.id, { kinds, after, limit });
    return { objects, next: objects.length === limit ? objects.at(-1)!.key : undefined };
  }

  #note(state: WatchState): void {
    const before = this.#report.phase;
    this.#report = { ...this.#report, ...reportAfter(this.#report, state, this.around.now()) };
    if (this.#report.phase !== before) this.around.changed();
  }
}

/** Waits, or less when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

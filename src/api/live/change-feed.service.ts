import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { BusyError } from '../../pipeline/busy-error.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { detached } from '../../platform/work-context.service.js';
import { ChangeListener } from '../../store/change-listener.service.js';
import type { ChangePosition } from '../../store/change-position.js';
import { comparePositions } from '../../store/change-position.js';
import { IncidentChangeRepository } from '../../store/incident-change.repository.js';
import type { IncidentChange } from '../../store/queries/find-incident-changes.js';
import { LIVE_OPTIONS } from './live-options.js';
import type { LiveOptions } from './live-options.js';
import { LiveStream } from './live-stream.js';
import type { LiveChange, LiveEnd, LiveSource, LiveWish } from './live-stream.js';
import { mayConcern, withoutState } from './match-change.js';

const BATCH = 500;
/** Changes are read at most this often, however many are told, milliseconds. */
const GAP = 100;
/** They are looked for this often even when none are told, milliseconds. */
const POLL = 2_000;
const RETRY = 1_000;
const BUSY_SECONDS = 30;

/**
 * Reads the changes of incidents once for all subscribers of this process, whichever process made them, and hands each
 * subscriber what its filter and its scope let through. Idle while there is no subscriber.
 */
@Injectable()
export class ChangeFeed implements LiveSource, OnModuleDestroy {
  readonly #open = new Set<LiveStream>();
  readonly #live = new Set<LiveStream>();
  readonly #cut;
  /** Everything up to here was given to those who are live; undefined while nobody is. */
  #position: ChangePosition | undefined;
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #lastRead = -Infinity;
  #reading: Promise<number> | undefined;
  #again = false;
  #stopped = false;

  constructor(
    private readonly changes: IncidentChangeRepository,
    private readonly listener: ChangeListener,
    @Inject(LIVE_OPTIONS) private readonly options: LiveOptions,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge('casebook_live_streams', 'Live streams of changes that are open.', [], (gauge) => gauge.set(this.#open.size));
    this.#cut = metrics.counter('casebook_live_streams_cut_total', 'Live streams that were ended from this side.', ['reason']);
    for (const reason of ['TOO_SLOW', 'GOING_AWAY', 'CURSOR_EXPIRED']) this.#cut.inc({ reason }, 0);
  }

  /** Position of now, to read a list first and its changes from there. */
  latestPosition(): Promise<ChangePosition> {
    return this.changes.latestPosition();
  }

  /**
   * Opens a stream of changes; the caller has to return from it in the end.
   *
   * @throws ChangesExpiredError when changes after the position have been dropped; BusyError when there are too many streams
   */
  async subscribe(wish: LiveWish): Promise<LiveStream> {
    if (this.#stopped) throw new BusyError('the service is stopping', 1);
    if (this.#open.size >= this.options.maxSubscriptions) {
      throw new BusyError(`${this.options.maxSubscriptions} live streams are open, and no more are served here`, BUSY_SECONDS);
    }
    const stream = new LiveStream(wish, this, this.options.maxUndelivered, wish.after ?? { xid: '0', seq: '0' });
    this.#open.add(stream);
    this.#stopListening ??= detached(() => this.listener.listen(() => this.#readIn(0)));
    try {
      if (!wish.after) stream.position = await this.changes.latestPosition();
      await stream.catchUp();
    } catch (error) {
      await stream.return();
      throw error;
    }
    return stream;
  }

  async catchUp(stream: LiveStream, limit: number): Promise<{ changes: LiveChange[]; end: ChangePosition; more: boolean }> {
    const { changes, end, more } = await this.changes.changesAfter(stream.position, limit);
    const [wanted] = await this.#select(changes, [[stream]]);
    return { changes: wanted!, end, more };
  }

  join(stream: LiveStream): boolean {
    this.#position ??= stream.position;
    if (comparePositions(stream.position, this.#position) < 0) return false;
    this.#live.add(stream);
    this.#readIn(GAP);
    return true;
  }

  later(again: () => void): void {
    setTimeout(again, RETRY).unref();
  }

  leave(stream: LiveStream, reason: LiveEnd | undefined): void {
    if (reason) this.#cut.inc({ reason });
    this.#open.delete(stream);
    this.#live.delete(stream);
    if (this.#live.size === 0) this.#position = undefined;
    if (this.#open.size === 0) this.#rest();
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }

  /** Ends every stream for good, and waits for what is being read. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#end('GOING_AWAY');
    this.#rest();
    await this.#reading;
  }

  #rest(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    clearTimeout(this.#timer);
    this.#due = Infinity;
  }

  #end(reason: LiveEnd): void {
    for (const stream of this.#open) stream.cut(reason);
  }

  #readIn(wait: number): void {
    if (this.#stopped || this.#live.size === 0) return;
    if (this.#reading) {
      this.#again ||= wait === 0;
      return;
    }
    const now = performance.now();
    const due = Math.max(now + wait, this.#lastRead + GAP);
    if (this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = detached(() => setTimeout(() => void this.#read(), due - now));
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    this.#due = Infinity;
    this.#again = false;
    this.#reading = this.#readAll();
    const wait = await this.#reading;
    this.#lastRead = performance.now();
    this.#reading = undefined;
    this.#readIn(this.#again ? 0 : wait);
  }

  /** Reads until nothing is left. Returns how long to wait before the next look, milliseconds. */
  async #readAll(): Promise<number> {
    try {
      let state = { more: true, waiting: false };
      while (state.more && this.#live.size > 0 && !this.#stopped) state = await this.#pass();
      return state.waiting ? GAP : POLL;
    } catch (error) {
      this.#failed(error);
      return RETRY;
    }
  }

  #failed(error: unknown): void {
    if ((error as { code?: string }).code === 'CURSOR_EXPIRED') this.#end('CURSOR_EXPIRED');
    else this.logger.warn({ err: error }, 'changes of incidents could not be read and will be tried again');
  }

  /** Reads a batch and gives it to all who are live. All of them get it, or none. */
  async #pass(): Promise<{ more: boolean; waiting: boolean }> {
    const from = this.#position!;
    const { changes, end, more, waiting } = await this.changes.changesAfter(from, BATCH);
    if (this.#position !== from) return { more: true, waiting };
    // Who joins while the batch is looked through has read it already.
    this.#position = end;
    const groups = new Map<string, LiveStream[]>();
    for (const stream of this.#live) groups.set(stream.key, [...(groups.get(stream.key) ?? []), stream]);
    const lists = [...groups.values()];
    try {
      const selected = await this.#select(changes, lists);
      for (const [i, list] of lists.entries()) {
        for (const stream of list) stream.push(selected[i]!, end);
      }
    } catch (error) {
      if (this.#position === end) this.#position = from;
      throw error;
    }
    return { more, waiting };
  }

  /** The changes that each group of like streams wants: one statement for a group, and one for the incidents of all. */
  async #select(changes: readonly IncidentChange[], groups: readonly (readonly LiveStream[])[]): Promise<LiveChange[][]> {
    const wanted: IncidentChange[][] = [];
    for (const [stream] of groups) {
      const { filter, scope } = stream!.wish;
      const possible = changes.filter((change) => mayConcern(filter, change));
      const ids = [...new Set(possible.map(({ incidentId }) => incidentId))];
      const matching = ids.length > 0 ? await this.changes.matching(ids, withoutState(filter), scope) : new Set<string>();
      wanted.push(possible.filter(({ incidentId }) => matching.has(incidentId)));
    }
    const ids = [...new Set(wanted.flat().map(({ incidentId }) => incidentId))];
    const incidents = ids.length > 0 ? await this.changes.incidents(ids) : new Map<string, never>();
    const batch = {};
    return wanted.map((list) =>
      list.flatMap((change) => {
        const incident = incidents.get(change.incidentId);
        return incident ? [{ change, incident, batch }] : [];
      }),
    );
  }
}

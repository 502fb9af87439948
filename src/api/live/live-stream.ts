import { refusalOf } from '../../platform/refusal.js';
import type { Scope } from '../../platform/scope.js';
import type { ChangePosition } from '../../store/change-position.js';
import { comparePositions } from '../../store/change-position.js';
import type { IncidentChange } from '../../store/queries/find-incident-changes.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import type { IncidentFilter } from '../../store/queries/incident-where.js';

/** A change on its way to a subscriber, with its incident as it is now. */
export interface LiveChange {
  change: IncidentChange;
  incident: IncidentRecord;
  /** The same for all changes that were read at once: what is looked up for one may serve the others. */
  batch: object;
}

/** What a subscriber wants, and may have. */
export interface LiveWish {
  filter: IncidentFilter;
  scope: Scope;
  /** Begins after this position; default: now. */
  after?: ChangePosition | undefined;
  /** Called once when the stream is ended from this side, even while nobody asks for more. */
  onCut?: ((reason: LiveEnd) => void) | undefined;
}

/** Why a stream was ended from this side. */
export type LiveEnd = 'TOO_SLOW' | 'GOING_AWAY' | 'CURSOR_EXPIRED';

/** Where a stream gets its changes from. */
export interface LiveSource {
  /** Reads what a stream missed, at most `limit` changes of anybody. */
  catchUp(stream: LiveStream, limit: number): Promise<{ changes: LiveChange[]; end: ChangePosition; more: boolean }>;
  /** Lets the stream have all that comes from now on; false when something came meanwhile that it has not read. */
  join(stream: LiveStream): boolean;
  /** Calls back when it is time to try again what failed because the database is away. */
  later(again: () => void): void;
  /** Takes note that the stream has ended; with a reason when it was cut. */
  leave(stream: LiveStream, reason: LiveEnd | undefined): void;
}

const CHUNK = 50;
const CATCH_UP = 200;

/**
 * The changes that one subscriber gets, in portions. First reads what was missed, as fast as they are taken; then they are
 * pushed, and a subscriber that leaves too many of them waiting is cut. Unlike an async function, it can be
 * returned from while it waits.
 */
export class LiveStream implements AsyncGenerator<LiveChange[], void, undefined> {
  /** Everything up to here was handed over, or is waiting to be. */
  position: ChangePosition;
  /** Streams with the same key want the same. */
  readonly key: string;
  readonly #waiting: LiveChange[] = [];
  #behind = true;
  /** A portion was handed over, and the next one has not been asked for: it may not have reached the subscriber. */
  #inHand = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(
    readonly wish: LiveWish,
    private readonly source: LiveSource,
    private readonly limit: number,
    start: ChangePosition,
  ) {
    this.position = start;
    this.key = JSON.stringify([wish.filter, wish.scope]);
  }

  /** The position to resume from for who has taken everything; undefined while something waits or is still being dealt with. */
  get idleAt(): ChangePosition | undefined {
    return this.#waiting.length === 0 && !this.#inHand ? this.position : undefined;
  }

  /** Takes over changes of others that were read up to `end`; those that it has already are left out. */
  push(changes: readonly LiveChange[], end: ChangePosition): void {
    if (this.#ended) return;
    for (const change of changes) if (comparePositions(change.change.position, this.position) > 0) this.#waiting.push(change);
    if (comparePositions(end, this.position) > 0) this.position = end;
    if (this.#waiting.length > this.limit) this.cut('TOO_SLOW');
    else if (this.#waiting.length > 0) this.#wakeUp();
  }

  /** Reads the next portion of what was missed. Throws what reading throws. */
  async catchUp(): Promise<void> {
    const { changes, end, more } = await this.source.catchUp(this, Math.min(CATCH_UP, this.limit));
    if (this.#ended) return;
    this.#waiting.push(...changes);
    this.position = end;
    if (!more && this.source.join(this)) this.#behind = false;
  }

  /** Ends the stream from this side. */
  cut(reason: LiveEnd): void {
    if (this.#ended) return;
    this.#end(reason);
    this.wish.onCut?.(reason);
  }

  async next(): Promise<IteratorResult<LiveChange[], void>> {
    this.#inHand = false;
    try {
      while (!this.#ended) {
        if (this.#waiting.length > 0) {
          this.#inHand = true;
          return { value: this.#waiting.splice(0, CHUNK), done: false };
        }
        if (this.#behind) await this.#catchUpWhenPossible();
        else await new Promise<void>((wake) => (this.#wake = wake));
      }
    } catch (error) {
      this.#end();
      throw error;
    }
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<LiveChange[], void>> {
    this.#end();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<LiveChange[], void>> {
    this.#end();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }

  /** Whoever has been let in waits for a database that is away, whether it has caught up by then or not. */
  async #catchUpWhenPossible(): Promise<void> {
    try {
      await this.catchUp();
    } catch (error) {
      if (refusalOf(error).code !== 'BUSY') throw error;
      await new Promise<void>((wake) => {
        this.#wake = wake;
        this.source.later(wake);
      });
    }
  }

  #end(reason?: LiveEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting.length = 0;
    this.source.leave(this, reason);
    this.#wakeUp();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

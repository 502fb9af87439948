import { AnswerTooLargeError, ApiConnection, chunksOf } from './api-connection.watcher.js';
import type { ApiQuestion } from './api-connection.watcher.js';
import { delayAfter } from './back-off.js';
import { isBehind } from './compare-positions.js';
import { followObjects } from './follow-objects.watcher.js';
import type { FollowOptions, FollowedBatch, WatchState, WatchTiming } from './followed-cluster.js';
import { batchOfItems, batchOfLines } from './gather-batch.js';
import { LineBuffer } from './line-buffer.js';
import { positionOf, readWatchLine } from './read-watch-line.js';
import type { WatchLine } from './read-watch-line.js';
import { faultOfAnswer, faultOfConnection, freshPageToken, WatchFault } from './watch-fault.js';

/** How long things take unless said otherwise. */
export const WATCH_TIMING: WatchTiming = {
  pageSize: 500,
  batchSize: 500,
  watchSeconds: 120,
  idleMs: 150_000,
  answerMs: 60_000,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  objectsEveryMs: 30_000,
};

/** The same Events are served under both groups, with the same uid and resource version; the second for roles that allow it alone. */
const EVENT_PATHS = ['/api/v1/events', '/apis/events.k8s.io/v1/events'] as const;
/** Longest line of a watch, in bytes; etcd takes objects of 1.5 MiB. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LIST = 'list of Events';
const WATCH = 'watch of Events';

/** Rejections of `deliver`, which end the follow, told apart from faults of the API server, which do not. */
class DeliveryFailed extends Error {}

/**
 * Follows the Events of one cluster, and the end of the objects that something is open about, until the signal is aborted.
 * Resolves then, with every socket closed. Whatever the API server does is told and tried again; only a rejection of `deliver`
 * rejects.
 */
export async function followEvents(options: FollowOptions): Promise<void> {
  const timing = { ...WATCH_TIMING, ...options.timing };
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const connection = new ApiConnection(options.connect, timing.answerMs);
  const deliver = oneAtATime(async (batch: FollowedBatch) => {
    if (signal.aborted) return;
    await options.deliver(batch).catch((error: unknown) => {
      throw new DeliveryFailed('a batch was not delivered', { cause: error });
    });
  });
  const inner = { ...options, signal, deliver };
  const events = new EventFollow(inner, timing, connection);
  const both = [events.run(), followObjects(inner, timing, connection, events.caughtUp)];
  // Whichever of the two ends by a failure ends the other.
  const ended = await Promise.allSettled(both.map((run) => run.finally(() => stop.abort())));
  await connection.renew(true);
  options.tell({ phase: 'stopped' });
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason instanceof DeliveryFailed ? failure.reason.cause : failure.reason;
}

class EventFollow {
  /** Resolves once the first list is delivered, or the position is found to be good. */
  readonly caughtUp: Promise<void>;
  #catchUp: () => void = () => undefined;
  #position: string | undefined;
  #because: 'first' | 'expired' = 'first';
  #failures = 0;
  #lastFault: WatchFault | undefined;
  #path = 0;
  #pageSize: number;

  constructor(
    private readonly options: FollowOptions,
    private readonly timing: WatchTiming,
    private readonly connection: ApiConnection,
  ) {
    this.#position = options.resumeFrom;
    this.#pageSize = timing.pageSize;
    this.caughtUp = new Promise((resolve) => (this.#catchUp = resolve));
    options.signal.addEventListener('abort', () => this.#catchUp(), { once: true });
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    while (!signal.aborted) {
      try {
        if (!this.connection.isOpen) this.#tell({ phase: 'connecting' });
        if (this.#position === undefined) this.#position = await this.#list();
        else await this.#probe(this.#position);
        if (!signal.aborted) await this.#watch(this.#position);
      } catch (error) {
        if (error instanceof DeliveryFailed) throw error;
        if (!signal.aborted) await this.#recover(error);
      }
    }
  }

  /** Delivers all Events, page by page, and returns the position of the whole. */
  async #list(): Promise<string> {
    this.#tell({ phase: 'listing', because: this.#because });
    for (;;) {
      const { position, whole } = await this.#pass();
      if (!whole) continue;
      await this.#deliver({ events: [], deleted: [], rejected: [], position });
      // A list after an expired position proves nothing about the watch that follows, which may expire again at once.
      if (this.#lastFault?.code !== 'EXPIRED') this.#settle();
      return position;
    }
  }

  /**
   * One pass over all pages. A token that expired is replaced by the one that the server offers, which goes on with the rest in
   * its present state; what changed before it is read in another pass (`whole` is false then).
   */
  async #pass(): Promise<{ position: string; whole: boolean }> {
    let whole = true;
    for (let token = ''; ;) {
      const page = await this.#page(token);
      if (page.items === undefined) {
        whole = false;
        token = page.next;
        continue;
      }
      for (let from = 0; from < page.items.length; from += this.timing.batchSize) {
        await this.#deliver(batchOfItems(page.items.slice(from, from + this.timing.batchSize), undefined, this.options.now()));
      }
      token = page.next;
      if (token === '') return { position: page.position, whole };
    }
  }

  async #page(token: string): Promise<{ items: unknown[] | undefined; position: string; next: string }> {
    const answer = await this.#ask({ limit: String(this.#pageSize), ...(token !== '' && { continue: token }) }).catch((error: unknown) => {
      if (!(error instanceof AnswerTooLargeError)) throw error;
      if (this.#pageSize === 1) throw new WatchFault('UNEXPECTED_ANSWER', error.message);
      this.#pageSize = Math.max(1, this.#pageSize >> 2);
      return undefined;
    });
    if (!answer) return this.#page(token);
    const fresh = token === '' ? undefined : freshPageToken(answer.body);
    if (answer.status === 410 && fresh !== undefined) return { items: undefined, position: '', next: fresh };
    return listOf(answer);
  }

  /** Asks where the server is: one that lost its state would keep a watch from a later position open for ever, and say nothing. */
  async #probe(position: string): Promise<void> {
    const current = listOf(await this.#ask({ limit: '1' })).position;
    if (!isBehind(current, position)) return;
    throw new WatchFault('EXPIRED', `The API server is at resource version ${current}, before ${position}: it lost its state`);
  }

  async #watch(from: string): Promise<void> {
    const { timing, options } = this;
    // Not all clusters of one process at once.
    const seconds = Math.max(1, Math.round(timing.watchSeconds * (0.75 + options.random() / 4)));
    const query = { watch: 'true', resourceVersion: from, allowWatchBookmarks: 'true', timeoutSeconds: String(seconds) };
    const question = this.#question(query, WATCH);
    const answer = await this.connection.open(question);
    if (answer.status !== 200) {
      const body = await this.connection.read(answer, WATCH);
      const { status } = answer;
      // A position that the server does not even understand is of another server.
      throw faultOfAnswer({ ...answer, status: status === 400 || status === 422 ? 410 : status, body, asked: WATCH });
    }
    this.#catchUp();
    this.#tell({ phase: 'watching', position: from });
    const since = options.now();
    const buffer = new LineBuffer(LONGEST_LINE);
    let heard = false;
    try {
      for await (const chunk of chunksOf(answer.body, timing.idleMs, WATCH)) {
        heard = true;
        await this.#takeLines(buffer, chunk);
      }
    } finally {
      // Something on the way may cut what is quiet for a minute, again and again; that is no row of failures.
      if (options.now() - since >= timing.longestDelayMs) this.#settle();
    }
    if (!heard && options.now() - since < timing.firstDelayMs) {
      throw new WatchFault('NETWORK', 'The API server closed the watch as soon as it was open');
    }
    this.#settle();
  }

  async #takeLines(buffer: LineBuffer, chunk: Uint8Array): Promise<void> {
    let lines: WatchLine[] = [];
    const flush = async (): Promise<void> => {
      if (lines.length === 0) return;
      const batch = batchOfLines(lines, this.options.now());
      lines = [];
      await this.#deliver(batch);
      this.#position = batch.position ?? this.#position;
      this.#settle();
    };
    for (const line of buffer.take(chunk)) {
      const said: WatchLine =
        line.type === 'line'
          ? readWatchLine(line.text)
          : { type: 'broken', reason: `a line of ${line.bytes} bytes is longer than ${LONGEST_LINE}`, text: line.beginning };
      if (said.type === 'error') {
        await flush();
        throw faultOfAnswer({ status: said.status, body: said.body, asked: WATCH });
      }
      lines.push(said);
      if (lines.length >= this.timing.batchSize) await flush();
    }
    await flush();
  }

  async #recover(error: unknown): Promise<void> {
    const fault = faultOfConnection(error, WATCH);
    const { code } = fault;
    if (code === 'EXPIRED') {
      this.#position = undefined;
      this.#because = 'expired';
    }
    // Either the role allows the other group alone, or the server is too old or too new for this one.
    if (code === 'FORBIDDEN' || code === 'UNEXPECTED_ANSWER') this.#path = 1 - this.#path;
    const doubtful = code === 'UNAUTHORIZED' || code === 'TLS' || code === 'CREDENTIALS';
    if (doubtful || code === 'NETWORK' || code === 'SILENT') await this.connection.renew(doubtful);
    this.#lastFault = fault;
    // That a position expires is in the nature of a quiet cluster, to which no bookmarks are sent; only when it happens again at
    // once is something wrong.
    if (code === 'EXPIRED' && this.#failures === 0) return void this.#failures++;
    const delayMs = delayAfter(++this.#failures, this.timing, this.options.random(), fault.retryAfterMs);
    this.#tell({ phase: 'waiting', code, message: fault.message, delayMs, failures: this.#failures });
    await this.options.delay(delayMs, this.options.signal);
  }

  #settle(): void {
    this.#failures = 0;
    this.#lastFault = undefined;
  }

  async #deliver(batch: FollowedBatch): Promise<void> {
    await this.options.deliver(batch);
    // What was delivered last may not have been taken any more.
    this.options.signal.throwIfAborted();
  }

  #ask(query: Record<string, string>) {
    return this.connection.ask(this.#question(query, LIST));
  }

  #question(query: Record<string, string>, asked: string): ApiQuestion {
    const path = `${EVENT_PATHS[this.#path]}?${new URLSearchParams(query)}`;
    return { path, asked, signal: this.options.signal };
  }

  #tell(state: WatchState): void {
    if (!this.options.signal.aborted) this.options.tell(state);
  }
}

function listOf({ status, body, retryAfter }: { status: number; body: unknown; retryAfter: string | undefined }) {
  if (status !== 200) throw faultOfAnswer({ status, body, retryAfter, asked: LIST });
  const { items, metadata } = (body ?? {}) as { items?: unknown; metadata?: { continue?: unknown } | null };
  const position = positionOf(body);
  // Go writes an empty list as null.
  if (position === undefined || (items !== null && !Array.isArray(items))) {
    throw new WatchFault('UNEXPECTED_ANSWER', `What answered the ${LIST} is no Kubernetes API server`);
  }
  const next = metadata?.continue;
  return { items: (items ?? []) as unknown[], position, next: typeof next === 'string' ? next : '' };
}

/** Calls that never overlap: each waits for the one before. */
function oneAtATime<A>(work: (argument: A) => Promise<void>): (argument: A) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (argument) => {
    const next = last.then(() => work(argument));
    last = next.catch(() => undefined);
    return next;
  };
}

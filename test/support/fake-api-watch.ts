import type { ServerResponse } from 'node:http';
import { sendFailure, statusOf, tooLarge } from './fake-api-answers.js';
import type { Failure } from './fake-api-answers.js';
import type { ApiRoute } from './fake-api-resources.js';
import type { ApiObject, Change, FakeApiStore } from './fake-api-store.js';

/** One open watch of the fake API server. */
export class FakeWatch {
  /** Resource version that was asked for; empty for none. */
  readonly from: string;
  /** Lines that were written so far. */
  lines = 0;
  #stopFollowing: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #cutNext = false;
  #silent = false;

  constructor(
    private readonly store: FakeApiStore,
    private readonly route: ApiRoute,
    private readonly query: URLSearchParams,
    private readonly response: ServerResponse,
    private readonly view: (object: ApiObject) => ApiObject,
  ) {
    this.from = query.get('resourceVersion') ?? '';
  }

  /** Answers, and sends what changed since. False when the answer is a refusal. */
  begin(expiredAs: 'event' | 'status', refusesFuture: boolean): boolean {
    const { store, response, from } = this;
    const asked = Number(from);
    if (!Number.isInteger(asked) || asked < 0) {
      sendFailure(response, { code: 400, message: `Invalid value: "${from}": strconv.ParseUint: parsing "${from}": invalid syntax` });
      return false;
    }
    const expired = from !== '' && from !== '0' && asked < store.compacted;
    if (expired && expiredAs === 'status')
      return this.#refuse({ code: 410, message: `too old resource version: ${asked} (${store.revision})` });
    if (asked > store.revision && refusesFuture) return this.#refuse(tooLarge(asked, store.revision));
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    response.flushHeaders();
    if (expired) {
      this.fail({ code: 410 });
      return true;
    }
    const seconds = Number(this.query.get('timeoutSeconds') ?? 1800);
    this.#timer = setTimeout(() => this.end(), seconds * 1000);
    if (from === '' || from === '0') {
      for (const object of store.list(this.route.resource, store.revision, this.route.namespace)) this.#write('ADDED', object);
    } else {
      for (const change of store.since(this.route.resource, asked)) this.#tell(change);
    }
    // A resource version from the future stays silent until the counter has come so far.
    this.#stopFollowing = store.follow((change) => change.revision > asked && this.#tell(change));
    return true;
  }

  /** Bytes that the client has not taken yet. */
  get unsent(): number {
    return this.response.writableLength;
  }

  /** Ends the watch as after its time, with a proper end of the answer. */
  end(): void {
    this.leave();
    this.response.end();
  }

  /** Tells how far the store is, if bookmarks were asked for. */
  bookmark(): void {
    if (this.query.get('allowWatchBookmarks') !== 'true') return;
    const metadata = { resourceVersion: String(this.store.revision), creationTimestamp: null };
    this.#line({ type: 'BOOKMARK', object: { kind: this.route.kind, apiVersion: this.route.apiVersion, metadata } });
  }

  /** Sends an ERROR event and ends. */
  fail(failure: Failure): void {
    this.#line({ type: 'ERROR', object: statusOf(failure) });
    this.end();
  }

  /** Sends this as a line, whatever it is. */
  send(text: string): void {
    this.response.write(text);
  }

  /** Of the next line, only a half is sent, and the connection is broken. */
  cutNextLine(): void {
    this.#cutNext = true;
  }

  /** Sends nothing any more and does not close either. */
  silence(): void {
    this.#silent = true;
    this.leave();
  }

  /** Hears of no further changes. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#stopFollowing();
  }

  #refuse(failure: Failure): boolean {
    sendFailure(this.response, failure);
    return false;
  }

  #tell({ resource, type, object }: Change): void {
    const { namespace } = this.route;
    if (resource !== this.route.resource || (namespace !== undefined && object.metadata.namespace !== namespace)) return;
    this.#write(type, object);
  }

  #write(type: Change['type'], object: ApiObject): void {
    this.#line({ type, object: this.view(object) });
  }

  #line(line: unknown): void {
    if (this.#silent) return;
    const text = `${JSON.stringify(line)}\n`;
    if (!this.#cutNext) {
      this.lines++;
      this.response.write(text);
      return;
    }
    this.#silent = true;
    this.leave();
    this.response.write(text.slice(0, text.length >> 1), () => this.response.socket?.destroy());
  }
}

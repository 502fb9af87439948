/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const PATIENCE = 15_000;

/** What came so far, and how to wait for more. */
export class Received<T> {
  readonly all: T[] = [];
  #taken = 0;
  #wake: (() => void) | undefined;
  /** Set when nothing more will come: why. */
  ended: unknown;

  add(one: T): void {
    this.all.push(one);
    this.#wake?.();
  }

  end(why: unknown): void {
    this.ended ??= why;
    this.#wake?.();
  }

  /** The next `count` of them. Fails when they do not come within some seconds. */
  async next(count: number): Promise<T[]> {
    await this.until(() => this.all.length >= this.#taken + count || this.ended !== undefined);
    const taken = this.all.slice(this.#taken, this.#taken + count);
    this.#taken += taken.length;
    if (taken.length < count) throw new Error(`${taken.length} of ${count} came before the end: ${JSON.stringify(this.ended)}`);
    return taken;
  }

  /** Why it ended. Fails when it does not end within some seconds. */
  async outcome(): Promise<any> {
    await this.until(() => this.ended !== undefined);
    return this.ended;
  }

  private async until(holds: () => boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    while (!holds()) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`nothing more came within ${PATIENCE / 1000} s; there are ${this.all.length}`);
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, left);
        this.#wake = () => {
          clearTimeout(timer);
          wake();
        };
      });
    }
  }
}

/** An open subscription. */
export interface LiveSubscription extends Received<any> {
  close(): Promise<void>;
}

/** How to subscribe. */
export interface SubscribeOptions {
  variables?: Record<string, unknown>;
  /** Sent beside the query. */
  extensions?: Record<string, unknown>;
  /** Sent in connection_init. */
  params?: Record<string, unknown>;
  /** Sent with the upgrade. */
  headers?: Record<string, string>;
}

/** The fields that most tests look at. */
export const CHANGES = `subscription ($filter: IncidentFilter, $after: String) {
  incidentChanged(filter: $filter, after: $after) { cursor kind statusBefore status incident { id status subject { name } cluster { name } problem { id } } }
}`;

/** Subscribes over WebSocket with the client that portals use; resolves when the service has welcomed the connection or refused it. */
export async function subscribe(url: string, query: string = CHANGES, options: SubscribeOptions = {}): Promise<LiveSubscription> {
  const received = new Received<any>();
  class Socket extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers: options.headers ?? {} });
    }
  }
  let welcomed: () => void;
  const connected = new Promise<void>((resolve) => (welcomed = resolve));
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: Socket,
    retryAttempts: 0,
    ...(options.params && { connectionParams: options.params }),
    on: {
      connected: () => welcomed(),
      closed: (event) => {
        const { code, reason } = event as { code: number; reason: string };
        received.end({ code, reason });
        welcomed();
      },
    },
  });
  client.subscribe(
    { query, variables: options.variables ?? {}, ...(options.extensions && { extensions: options.extensions }) },
    {
      next: (result) => received.add(result),
      error: (error: any) => received.end(Array.isArray(error) ? error : { code: error?.code, reason: error?.reason ?? error?.message }),
      complete: () => received.end('complete'),
    },
  );
  await connected;
  return Object.assign(received, { close: async () => client.dispose() });
}

/** One message of Server-Sent Events. */
export interface ServerSentEvent {
  id?: string;
  event?: string;
  data?: any;
}

/**
 * An open stream of Server-Sent Events. Messages without data only say where to resume from; how many of them come, and when,
 * depends on what else runs in the database server.
 */
export interface OpenEvents {
  response: Response;
  /** Messages without data. */
  marks: Received<ServerSentEvent>;
  /** Messages with data. */
  changes: Received<ServerSentEvent>;
  close(): void;
}

/** Opens a stream of Server-Sent Events. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<OpenEvents> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events: OpenEvents = { response, marks: new Received(), changes: new Received(), close: () => abort.abort() };
  void read(events);
  return events;
}

async function read({ response, marks, changes }: OpenEvents): Promise<void> {
  const end = (why: unknown): void => [marks, changes].forEach((received) => received.end(why));
  let text = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let gap = text.indexOf('\n\n'); gap >= 0; gap = text.indexOf('\n\n')) {
        const lines = text
          .slice(0, gap)
          .split('\n')
          .filter((line) => !line.startsWith(':'));
        text = text.slice(gap + 2);
        const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
        if (fields['data'] !== undefined) changes.add({ ...fields, data: JSON.parse(fields['data']) });
        else if ('id' in fields) marks.add(fields);
      }
    }
    end('closed');
  } catch (error) {
    end((error as Error).name);
  }
}

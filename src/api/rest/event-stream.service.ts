import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A client that reconnects waits this long, milliseconds. */
const RETRY = 2_000;
/** Something is sent this often, so that a proxy or a dead client shows, milliseconds. */
const HEARTBEAT = 15_000;
/** A client that is cut may take this long to read the rest, milliseconds. */
const FAREWELL = 500;

/** An answer as Server-Sent Events: never more than one message waits in the socket. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  /** Heartbeats since the client last took everything. */
  #stalled = 0;

  /** Takes the answer away from Fastify. `onBeat` tells where an idle client may resume from. */
  constructor(reply: FastifyReply, onBeat: () => string | undefined) {
    reply.hijack();
    this.#response = reply.raw;
    this.#response.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...EVENT_STREAM_HEADERS });
    this.#response.write(`retry: ${RETRY}\n\n`);
    this.#heartbeat = setInterval(() => this.#beat(onBeat()), HEARTBEAT);
    this.#heartbeat.unref();
    this.#response.on('error', () => this.#response.destroy());
    // The client may have left before there was anything to send.
    this.onClose(() => clearInterval(this.#heartbeat));
  }

  /** Calls back once when the client is gone. */
  onClose(gone: () => void): void {
    if (this.#response.destroyed) gone();
    else this.#response.once('close', gone);
  }

  /** Sends a message and waits until the client has room for the next. */
  async send({ id, data }: { id: string; data?: unknown }): Promise<void> {
    const text = `id: ${id}\n${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`;
    if (this.#response.destroyed || this.#response.write(text)) return;
    const given = new AbortController();
    const closed = (): void => given.abort();
    this.#response.once('close', closed);
    await once(this.#response, 'drain', { signal: given.signal }).catch(() => undefined);
    this.#response.off('close', closed);
  }

  /** Says why, and ends the answer, even for a client that does not read. */
  end(code: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.end(`event: end\ndata: ${JSON.stringify({ code })}\n\n`);
    setTimeout(() => this.#response.destroy(), FAREWELL).unref();
  }

  #beat(cursor: string | undefined): void {
    this.#stalled = this.#response.writableNeedDrain ? this.#stalled + 1 : 0;
    if (this.#stalled > 1) this.#response.destroy();
    else if (this.#stalled === 0) this.#response.write(`: still here\n${cursor === undefined ? '' : `id: ${cursor}\n`}\n`);
  }
}

/** No proxy may keep or gather what is sent. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

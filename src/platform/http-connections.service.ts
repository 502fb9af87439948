import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as later } from 'node:timers/promises';

/** Whoever has just been answered, or has just connected, may be about to send: so long their connection is kept, milliseconds. */
const LINGER = 100;

/** The connections of an HTTP server, to be closed without taking an answer from anybody. */
export class HttpConnections {
  /** Those that no request is being answered on, those included on which none ever came: since when, and what had come by then. */
  readonly #free = new Map<Socket, { since: number; bytes: number }>();
  readonly #answering = new Set<Socket>();
  #closing = false;
  #none: (() => void) | undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#setFree(socket);
      socket.once('close', () => this.#forget(socket));
    });
    // Whoever takes an upgraded socket also closes it.
    server.on('upgrade', ({ socket }: IncomingMessage) => this.#forget(socket));
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#free.delete(socket);
      this.#answering.add(socket);
      response.once('close', () => {
        this.#answering.delete(socket);
        if (this.#closing) socket.end();
        if (!socket.destroyed) this.#setFree(socket);
        else this.#tellNone();
      });
    });
  }

  /**
   * Takes no more connections from now on, closes those on which nothing was begun, and resolves when every request that was begun has been
   * answered; what takes longer than `timeout` milliseconds is cut off.
   */
  async close(timeout: number): Promise<void> {
    this.#closing = true;
    // Not that of an HTTP server, which also destroys connections on which a request lies unread.
    NetServer.prototype.close.call(this.server);
    const none = new Promise<void>((resolve) => (this.#none = resolve));
    const cutOff = setTimeout(() => {
      this.server.closeAllConnections();
      for (const socket of [...this.#free.keys(), ...this.#answering]) socket.destroy();
    }, timeout);
    const youngest = Math.max(-Infinity, ...[...this.#free.values()].map(({ since }) => since));
    if (performance.now() - youngest < LINGER) await later(LINGER);
    // What has arrived by now is read in these turns of the event loop, and is then a request that was begun.
    await nextTurn();
    await nextTurn();
    for (const [socket, { bytes }] of this.#free) if (socket.bytesRead === bytes) socket.destroy();
    this.#tellNone();
    await none;
    clearTimeout(cutOff);
  }

  #setFree(socket: Socket): void {
    this.#free.set(socket, { since: performance.now(), bytes: socket.bytesRead });
  }

  #forget(socket: Socket): void {
    this.#free.delete(socket);
    this.#answering.delete(socket);
    this.#tellNone();
  }

  #tellNone(): void {
    if (this.#free.size === 0 && this.#answering.size === 0) this.#none?.();
  }
}

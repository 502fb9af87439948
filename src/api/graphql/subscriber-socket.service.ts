import type { WebSocket } from 'ws';
import type { LiveEnd } from '../live/live-stream.js';

/** Why a socket is closed from this side, beside the codes of the protocol. */
export const CLOSE = {
  /** The service stops; another replica, or this one soon, goes on after the last cursor. */
  goingAway: 1001,
  tryAgainLater: 1013,
  unauthenticated: 4401,
  forbidden: 4403,
  /** What the cursor asks for is not kept any more: the list has to be read again. */
  cursorExpired: 4410,
  /** Too much was waiting for a subscriber that does not read, or too slowly. */
  tooSlow: 4420,
} as const;

/** Why the connection of subscriptions is ended from this side: as their streams are, or because a change could not be told in full. */
export type SocketEnd = LiveEnd | 'BUSY';

const CUT: Record<SocketEnd, readonly [code: number, reason: string]> = {
  TOO_SLOW: [CLOSE.tooSlow, 'Too many changes are waiting to be read; resume after the last cursor.'],
  GOING_AWAY: [CLOSE.goingAway, 'The service is stopping; resume after the last cursor.'],
  CURSOR_EXPIRED: [CLOSE.cursorExpired, 'Changes have been dropped; read the list again.'],
  BUSY: [CLOSE.tryAgainLater, 'What was asked of a change could not be read now; resume after the last cursor.'],
};

/** A socket that does not answer within this time is given up, milliseconds. */
const HEARTBEAT = 15_000;
/** The other side may take this long to say goodbye, milliseconds. */
const FAREWELL = 500;
/** Bytes that may wait in a socket: a client that only asks and never reads would fill the memory with answers. */
const MAX_BUFFERED = 1024 * 1024;
const MAX_REASON_BYTES = 123;

/** A WebSocket that cannot hold more than it should, nor stay when nobody is there. */
export class SubscriberSocket {
  /** Subscriptions that run or are being opened, also those whose ids were used again before they ended. */
  subscriptions = 0;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #onClose = new Set<() => void>();
  #alive = true;

  constructor(private readonly socket: WebSocket) {
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT);
    this.#heartbeat.unref();
    socket.on('pong', () => (this.#alive = true));
    // A broken connection also closes, which is what we wait for.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(this.#heartbeat);
      for (const gone of this.#onClose) gone();
    });
  }

  /** Resolves when the other side's network has taken the text: who waits for that keeps little in memory. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState !== this.socket.OPEN) resolve();
      else if (this.socket.bufferedAmount > MAX_BUFFERED) {
        this.cut('TOO_SLOW');
        resolve();
        // An error of sending is one of the connection, which closes then.
      } else this.socket.send(text, () => resolve());
    });
  }

  /** Closes with a code of ours or of the protocol, and does not wait long for the answer. */
  close(code: number, reason: string): void {
    this.socket.close(code, shorten(reason));
    setTimeout(() => this.socket.terminate(), FAREWELL).unref();
  }

  /** Calls back once when the connection is gone. Returns how not to be called. */
  onClose(gone: () => void): () => void {
    if (this.socket.readyState === this.socket.CLOSED) gone();
    else this.#onClose.add(gone);
    return () => void this.#onClose.delete(gone);
  }

  cut(reason: SocketEnd): void {
    this.close(...CUT[reason]);
  }

  #beat(): void {
    if (!this.#alive) return this.socket.terminate();
    this.#alive = false;
    this.socket.ping();
  }
}

/** A reason has to fit one frame. */
function shorten(reason: string): string {
  return Buffer.from(reason)
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD$/, '');
}

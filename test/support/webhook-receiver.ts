import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './make-certificates.js';

/** A request as it came. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body, parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies have whatever shape the test expects
  json: any;
}

/** How a request is answered. */
export type Manner =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection is cut, the request is never answered, a byte comes now and then, or an answer has no end. */
  | 'reset'
  | 'hang'
  | 'drip'
  | 'huge';

/** An HTTP server that receives webhooks and fails as it is told. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  readonly #manners = new Map<string, Manner[]>();
  readonly #open = new Set<ServerResponse>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response));
  }

  /** Starts one on a free port of 127.0.0.1; with a certificate it speaks TLS. */
  static async start(certificate?: Certificate): Promise<WebhookReceiver> {
    const server = certificate ? createSecureServer({ key: certificate.key, cert: certificate.certificate }) : createServer();
    const receiver = new WebhookReceiver(server as Server, certificate ? 'https' : 'http');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Address of a path. */
  url(path: string): string {
    return `${this.scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** What the next requests to a path are answered, one after the other; the last manner stays. */
  behave(path: string, ...manners: Manner[]): void {
    this.#manners.set(path, manners);
  }

  /** The requests to a path so far. */
  of(path: string): Received[] {
    return this.received.filter((each) => each.path.split('?')[0] === path);
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return; // cut off by the sender
    }
    const body = Buffer.concat(parts).toString();
    const path = request.url ?? '/';
    this.received.push({ path, headers: request.headers, body, json: body === '' ? undefined : JSON.parse(body) });
    const manners = this.#manners.get(path.split('?')[0]!) ?? [];
    const manner = (manners.length > 1 ? manners.shift() : manners[0]) ?? { status: 200, body: 'ok' };
    this.#open.add(response);
    this.#answer(manner, response);
  }

  #answer(manner: Manner, response: ServerResponse): void {
    if (manner === 'hang') return;
    if (manner === 'reset') return void response.socket?.resetAndDestroy();
    if (typeof manner === 'object') return void response.writeHead(manner.status, manner.headers).end(manner.body ?? '');
    response.writeHead(200, { 'content-type': 'text/plain' });
    const piece = manner === 'huge' ? 'x'.repeat(65_536) : '.';
    const timer = setInterval(() => response.write(piece), manner === 'huge' ? 1 : 50);
    this.#timers.add(timer);
    response.on('close', () => clearInterval(timer));
  }
}

import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Access } from './access.js';
import type { FollowOptions } from './follow-requests.service.js';
import { followRequest, followRequests } from './follow-requests.service.js';
import { refusalOf } from './refusal.js';

/** How requests are taken in. */
export interface HttpOptions extends FollowOptions {
  /** Largest body in bytes, as sent. */
  bodyLimit: number;
  /** Smaller limits for some paths, in bytes. */
  bodyLimits?: Readonly<Record<string, number>>;
  /** Who may use the paths whose routes are not made here and so cannot say it themselves. */
  access?: Readonly<Record<string, Access>>;
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;
const REQUEST_ID = /^[\w.:-]{1,64}$/;
/** A sender that does not finish its request within this time gives up its connection, milliseconds. */
const REQUEST_TIMEOUT = 60_000;
/** The rest of a refused body is read for this long at most, milliseconds. */
const DRAIN_MS = 10_000;

/**
 * The HTTP server under Nest. Bodies reach handlers as bytes whatever their Content-Type says, because senders of events
 * name any or none; every answer carries X-Request-Id.
 */
export function createHttpAdapter({ bodyLimit, bodyLimits = {}, access = {}, ...follow }: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit,
    requestTimeout: REQUEST_TIMEOUT,
    // Who sent a request is told by `clientAddress`: this would take a proxy's word on the host too, and for an address what is none.
    trustProxy: false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    // An address that cannot be decoded reaches no route; Fastify's own answer would repeat its query string.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { status, code, message } = refusalOf(error);
      followRequest(request, reply, follow);
      void reply
        .status(status)
        .header('x-request-id', request.id)
        .send({ error: { code, message, requestId: request.id } });
    },
    genReqId: (request: IncomingMessage) => {
      const sent = request.headers['x-request-id'];
      return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    },
  });
  const server = adapter.getInstance() as unknown as FastifyInstance;
  server.addHook('onRoute', (route) => {
    const limit = bodyLimits[route.url];
    if (limit !== undefined) route.bodyLimit = limit;
    const allowed = access[route.url];
    if (allowed !== undefined) route.config = { ...route.config, access: allowed };
  });
  // Fastify drops the body of a GET unread; kube-eventer sends its events in one.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  followRequests(server, follow);
  server.decorate('clientAddressOf', follow.clientAddressOf);
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // What is no media type at all would be refused before anybody looked at the body.
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type'])) delete headers['content-type'];
  });
  server.addHook('onSend', async (request, reply) => {
    if (request.raw.complete) return;
    void reply.removeHeader('connection');
    drain(request.raw, reply.raw);
  });
  server.server.on('upgrade', refuseUpgrade);
  return adapter;
}

/** Starts listening. Not through Nest, which would log a port that is taken before the caller can say what to do about it. */
export async function listen(adapter: FastifyAdapter, { host, port }: { host: string; port: number }): Promise<void> {
  await adapter.getInstance().listen({ host, port });
}

/** Closing the connection while its sender still writes would destroy the answer on its way, so the rest is read and dropped. */
function drain(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const stop = setTimeout(() => request.destroy(), DRAIN_MS);
  stop.unref();
  request.once('close', () => clearTimeout(stop));
  response.once('close', () => clearTimeout(stop));
}

/** A socket that nobody answers would hang and hold up the shutdown. Whoever speaks another protocol takes the place of this. */
export function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  endUpgrade(socket, '404 Not Found');
}

/** Answers a request for another protocol with an HTTP status, and closes. */
export function endUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

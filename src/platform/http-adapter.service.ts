import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Access } from './access.js';
import type { Logger } from './logger.service.js';
import { refusalOf } from './refusal.js';

/** How requests are taken in. */
export interface HttpOptions {
  /** Largest body in bytes, as sent. */
  bodyLimit: number;
  /** Smaller limits for some paths, in bytes. */
  bodyLimits?: Readonly<Record<string, number>>;
  /** Who may use the paths whose routes are not made here and so cannot say it themselves. */
  access?: Readonly<Record<string, Access>>;
  logger: Logger;
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
export function createHttpAdapter({ bodyLimit, bodyLimits = {}, access = {}, logger }: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit,
    requestTimeout: REQUEST_TIMEOUT,
    trustProxy: false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    // An address that cannot be decoded reaches no route; Fastify's own answer would repeat its query string.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { status, code, message } = refusalOf(error);
      void reply.status(status).send({ error: { code, message, requestId: request.id } });
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
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // What is no media type at all would be refused before anybody looked at the body.
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !MEDIA_TYPE.test(headers['content-type'])) delete headers['content-type'];
  });
  server.addHook('onResponse', async (request, reply) => {
    // The route and not the address: senders put secrets into query strings.
    const route = `${request.method} ${request.routeOptions.url ?? '(no route)'}`;
    logger.debug({ requestId: request.id, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, route);
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

/**
 * Finds the connections that no request is being answered on, those included on which none ever came: Node itself
 * would wait for those. Returns how to close them, now and as the others become free.
 */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  // Whoever takes an upgraded socket also closes it.
  server.on('upgrade', ({ socket }: IncomingMessage) => unused.delete(socket));
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    response.once('close', () => {
      if (closing) socket.end();
      else if (!socket.destroyed) unused.add(socket);
    });
  });
  return () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  };
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './access.js';
import type { Arrival } from './client-address.js';
import type { Logger } from './logger.service.js';
import { parseTraceparent } from './parse-traceparent.js';
import type { ServiceState } from './service-state.js';
import type { Tracer } from './tracer.js';
import type { WorkContext } from './work-context.service.js';
import { inContext } from './work-context.service.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells where a request came from, for doors that requests come to in other ways than by a route. */
    clientAddressOf: (request: Arrival) => string;
  }
  interface FastifyRequest {
    /** Address of whoever sent it, as far as proxies that are trusted tell; set when it comes. */
    clientAddress: string;
    /** What is known of the work on the request; set when it comes. */
    work: WorkContext;
  }
}

/** What follows requests needs. */
export interface FollowOptions {
  logger: Logger;
  state: ServiceState;
  /** Tells where a request came from. */
  clientAddressOf: (request: Arrival) => string;
  /** Absent when nothing is traced. */
  tracer?: Tracer | undefined;
}

/** Asked every few seconds by machines. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Follows every request from its head to the end of its answer: all that is done for it knows its id and its trace, and one line of the log
 * tells of it. Has to be the first that looks at requests.
 */
export function followRequests(server: FastifyInstance, options: FollowOptions): void {
  server.decorateRequest('work');
  server.decorateRequest('clientAddress');
  server.addHook('onRequest', (request, reply, done) => {
    followRequest(request, reply, options);
    inContext(request.work, done);
  });
  // What reads the body is called by its socket, which knows nothing of the request.
  server.addHook('preValidation', (request, _reply, done) => inContext(request.work, done));
  server.addHook('onSend', async (_request, reply) => {
    if (options.state.stopping) void reply.header('connection', 'close');
  });
}

/** Begins to follow one request. */
export function followRequest(request: FastifyRequest, reply: FastifyReply, { logger, tracer, clientAddressOf }: FollowOptions): void {
  const { method } = request;
  const client = (request.clientAddress = clientAddressOf(request.raw));
  // The route and not the address: senders put secrets into query strings, and what has no route may be anything.
  const route = request.routeOptions.url;
  const { traceparent, tracestate } = request.headers;
  const span = tracer?.start(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route, 'url.scheme': request.protocol, 'casebook.request_id': request.id },
    },
    parseTraceparent(traceparent, tracestate),
  );
  const work: WorkContext = { requestId: request.id, tracer, span, notes: {} };
  request.work = work;
  reply.raw.once('close', () => {
    const { statusCode: status } = reply.raw;
    const aborted = !reply.raw.writableFinished;
    const told = { ...callerFields(request.caller), ...work.notes };
    span?.set({ 'http.response.status_code': status, ...prefixed(told) });
    if (aborted) span?.fail('aborted');
    else if (status >= 500) span?.fail(String(status));
    span?.end();
    const level = PROBES.has(route ?? '') && status < 400 ? 'debug' : 'info';
    inContext({ ...work, span }, () =>
      logger[level]({ method, route, status, client, ms: Math.round(reply.elapsedTime), ...(aborted && { aborted }), ...told }, 'request'),
    );
  });
}

function callerFields(caller: Caller | undefined): Record<string, string> {
  if (caller === undefined) return {};
  return {
    caller: caller.kind,
    ...(caller.kind === 'user' && { user: caller.id }),
    ...(caller.kind === 'cluster' && { cluster: caller.name }),
  };
}

function prefixed(fields: Record<string, string | number | undefined>): Record<string, string | number | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`casebook.${name}`, value]));
}

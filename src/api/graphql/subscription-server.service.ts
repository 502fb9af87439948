import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { FastifyInstance } from 'fastify';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { Server as GraphqlServer } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { callerIdOf, CallerCheck } from '../../platform/access.js';
import { endUpgrade, refuseUpgrade } from '../../platform/http-adapter.service.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { refusalOf } from '../../platform/refusal.js';
import { inContext } from '../../platform/work-context.service.js';
import { chooseLocale } from '../choose-locale.js';
import { LIVE_OPTIONS } from '../live/live-options.js';
import type { LiveOptions } from '../live/live-options.js';
import { recheckToken } from '../live/recheck-token.service.js';
import { isForeignOrigin } from './is-foreign-origin.js';
import type { Subscriber } from './subscription-executor.service.js';
import { SubscriptionExecutor } from './subscription-executor.service.js';
import { CLOSE, SubscriberSocket } from './subscriber-socket.service.js';

const PATH = '/graphql';
const INIT_TIMEOUT = 5_000;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Most subscriptions of one connection. */
const PER_CONNECTION = 20;

/** What is known of a connection. */
interface Extra extends Subscriber {
  request: IncomingMessage;
  authorization: string | undefined;
  /** Address that it came from. */
  from: string;
}

/**
 * Subscriptions over WebSocket at /graphql, in the protocol graphql-transport-ws. A server of our own, because a socket has to be
 * bounded, refused and closed in ways that the GraphQL module does not know.
 */
@Injectable()
export class SubscriptionServer implements OnModuleInit, OnModuleDestroy {
  readonly #sockets: WebSocketServer;
  readonly #graphql: GraphqlServer<Extra>;
  readonly #connections = new Map<WebSocket, Extra>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schemas: GraphQLSchemaHost,
    private readonly callers: CallerCheck,
    private readonly executor: SubscriptionExecutor,
    @Inject(LIVE_OPTIONS) private readonly options: LiveOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
    this.#graphql = makeServer<undefined, Extra>({
      connectionInitWaitTimeout: INIT_TIMEOUT,
      onConnect: ({ connectionParams, extra }) => this.#welcome(extra, connectionParams),
      onSubscribe: ({ extra, subscriptions }, _id, payload) =>
        this.executor.prepare(this.schemas.schema, extra, payload, Object.keys(subscriptions).length <= PER_CONNECTION),
      subscribe: (args) => this.executor.subscribe(args),
      onNext: ({ extra }, _id, _payload, _args, result) =>
        result.errors && { ...result, errors: this.executor.present(result.errors, extra.requestId) },
      onError: ({ extra }, _id, _payload, errors) => this.executor.present(errors, extra.requestId),
    }) as GraphqlServer<Extra>;
  }

  onModuleInit(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.off('upgrade', refuseUpgrade);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (pathOf(request) !== PATH) return refuseUpgrade(request, socket);
      if (this.#connections.size >= this.options.maxSubscriptions) return endUpgrade(socket, '503 Service Unavailable');
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened, request));
    });
  }

  onModuleDestroy(): void {
    for (const { socket } of this.#connections.values()) socket.cut('GOING_AWAY');
  }

  #open(opened: WebSocket, request: IncomingMessage): void {
    const socket = new SubscriberSocket(opened);
    const extra: Extra = {
      socket,
      request,
      authorization: undefined,
      // Before it is gone: a connection that was closed has no address.
      from: this.http.httpAdapter.getInstance<FastifyInstance>().clientAddressOf(request),
      caller: { kind: 'anonymous' },
      locale: chooseLocale(request.headers['accept-language']),
      requestId: randomUUID(),
    };
    this.#connections.set(opened, extra);
    const closed = this.#graphql.opened(
      {
        protocol: opened.protocol,
        send: (text) => socket.send(text),
        close: (code, reason) => socket.close(code ?? CLOSE.goingAway, reason ?? ''),
        onMessage: (take) => opened.on('message', (data) => void this.#take(take, String(data), extra)),
      },
      extra,
    );
    opened.once('close', (code, reason) => {
      this.#connections.delete(opened);
      void closed(code, String(reason));
    });
  }

  async #take(take: (text: string) => Promise<void>, text: string, { socket, requestId, caller }: Extra): Promise<void> {
    try {
      await inContext({ requestId, caller: callerIdOf(caller) }, () => take(text));
    } catch (error) {
      this.logger.error({ requestId, err: error }, 'a message over WebSocket could not be dealt with');
      socket.close(1011, 'Something went wrong inside Casebook; the log tells more.');
    }
  }

  /** Finds out who has connected; false when they were sent away. */
  async #welcome(extra: Extra, params: Readonly<Record<string, unknown>> | undefined): Promise<boolean> {
    const sent = params?.['authorization'] ?? params?.['Authorization'];
    extra.authorization = typeof sent === 'string' ? sent : extra.request.headers.authorization;
    try {
      extra.caller = await this.callers.admit(extra.authorization, 'viewer', extra.from);
    } catch (error) {
      this.#sendAway(extra, error);
      return false;
    }
    if (extra.caller.kind === 'anonymous' && isForeignOrigin(extra.request.headers)) {
      extra.socket.close(CLOSE.forbidden, 'A page of another origin needs a token.');
      return false;
    }
    extra.socket.onClose(recheckToken(this.callers, extra, (error) => this.#sendAway(extra, error)));
    return true;
  }

  #sendAway({ socket, requestId }: Extra, error: unknown): void {
    const { code, message } = refusalOf(error);
    const known = { UNAUTHENTICATED: CLOSE.unauthenticated, FORBIDDEN: CLOSE.forbidden } as Record<string, number>;
    if (code === 'INTERNAL') this.logger.error({ requestId, err: error }, 'a token could not be checked');
    socket.close(known[code] ?? CLOSE.tryAgainLater, message);
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path] = url.split('?', 1);
  return path!.replace(/\/$/, '');
}

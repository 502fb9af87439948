import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { FastifyInstance } from 'fastify';
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { Server as GraphqlServer } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { BusyError } from '../../pipeline/busy-error.js';
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
import type { Subscriber } from './subscription-executor.service.js';
import { SubscriptionExecutor } from './subscription-executor.service.js';
import { CLOSE, SubscriberSocket } from './subscriber-socket.service.js';
import { WaitingPlaces } from './waiting-places.js';

const PATH = '/graphql';
const INIT_TIMEOUT = 5_000;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Most connections that have not been let in yet: after a restart many come at once from behind one address. */
const WAITING = { ofPlace: 100, ofAll: 1_000 };
/** When to come back after too many connections, seconds. */
const RETRY = 30;

/** What is known of a connection. */
interface Extra extends Subscriber {
  request: IncomingMessage;
  authorization: string | undefined;
  /** Address that it came from. */
  from: string;
  /** Gives back the place among those who wait to be let in. */
  leaveWaiting: () => void;
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
  readonly #waiting = new WaitingPlaces(WAITING);
  /** Connections that have been let in. */
  readonly #subscribers = new Set<SubscriberSocket>();

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
      onSubscribe: ({ extra }, _id, payload) => this.executor.prepare(this.schemas.schema, extra, payload),
      subscribe: (args) => this.executor.subscribe(args),
      onNext: ({ extra }, _id, _payload, _args, result) => this.#tell(result, extra),
      onError: ({ extra }, _id, _payload, errors) => this.executor.present(errors, extra.requestId),
    }) as GraphqlServer<Extra>;
  }

  onModuleInit(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    server.off('upgrade', refuseUpgrade);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (pathOf(request) !== PATH) return refuseUpgrade(request, socket);
      // Before it is gone: a connection that was closed has no address.
      const from = this.http.httpAdapter.getInstance<FastifyInstance>().clientAddressOf(request);
      const leaveWaiting = this.#isFull() ? undefined : this.#waiting.take(from);
      if (!leaveWaiting) return endUpgrade(socket, '503 Service Unavailable');
      socket.once('close', leaveWaiting);
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#open(opened, { request, from, leaveWaiting }));
    });
  }

  onModuleDestroy(): void {
    for (const { socket } of this.#connections.values()) socket.cut('GOING_AWAY');
  }

  #isFull(): boolean {
    return this.#subscribers.size >= this.options.maxSubscriptions;
  }

  #open(opened: WebSocket, arrival: Pick<Extra, 'request' | 'from' | 'leaveWaiting'>): void {
    const socket = new SubscriberSocket(opened);
    const extra: Extra = {
      ...arrival,
      socket,
      authorization: undefined,
      caller: { kind: 'anonymous' },
      locale: chooseLocale(arrival.request.headers['accept-language']),
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
      this.callers.checkPage(extra.caller, extra.request.headers);
      if (this.#isFull()) throw new BusyError(`${this.options.maxSubscriptions} connections are open, and no more are served here`, RETRY);
    } catch (error) {
      this.#sendAway(extra, error);
      return false;
    }
    extra.leaveWaiting();
    this.#subscribers.add(extra.socket);
    extra.socket.onClose(() => this.#subscribers.delete(extra.socket));
    extra.socket.onClose(recheckToken(this.callers, extra, (error) => this.#sendAway(extra, error)));
    return true;
  }

  /** Makes the errors of an answer ready; undefined when it has none. */
  #tell(result: ExecutionResult, { socket, requestId }: Extra): FormattedExecutionResult | undefined {
    if (!result.errors) return undefined;
    const errors = this.executor.present(result.errors, requestId);
    // What is sent over a socket that is being closed is dropped: the last cursor that the client has stays before this change.
    if (isForAnotherTry(result, errors)) socket.cut('BUSY');
    return { ...result, errors };
  }

  #sendAway({ socket, requestId }: Extra, error: unknown): void {
    const { code, message } = refusalOf(error);
    const known = { UNAUTHENTICATED: CLOSE.unauthenticated, FORBIDDEN: CLOSE.forbidden } as Record<string, number>;
    if (code === 'INTERNAL') this.logger.error({ requestId, err: error }, 'a token could not be checked');
    socket.close(known[code] ?? CLOSE.tryAgainLater, message);
  }
}

/**
 * Whether a change could not be told, or not in full, for a reason that passes. What the caller may not have, or asks too much of, would be
 * refused another time too; and the refusal of a subscription as such has no data.
 */
function isForAnotherTry({ data }: ExecutionResult, errors: readonly GraphQLFormattedError[]): boolean {
  if (data === undefined) return false;
  const codes = new Set(errors.map(({ extensions }) => extensions?.['code']));
  return codes.has('BUSY') || codes.has('TIMEOUT') || (data === null && codes.has('INTERNAL'));
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const [path] = url.split('?', 1);
  return path!.replace(/\/$/, '');
}

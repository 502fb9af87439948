import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '../events/cluster-event.js';
import { refusedElement } from '../events/refused-element.js';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { MESSAGE_MASK } from '../platform/message-mask.js';
import type { MessageMask } from '../platform/message-mask.js';
import { placeOf } from '../platform/place-of.js';
import { redactSecrets } from '../platform/redact-secrets.js';
import type { Counter } from '../platform/metrics.service.js';
import { Metrics } from '../platform/metrics.service.js';
import { detached } from '../platform/work-context.service.js';
import { DatabaseUnavailableError } from '../store/database.service.js';
import { RejectedRepository } from '../store/rejected.repository.js';
import type { NewRejected } from '../store/statements/insert-rejected.js';
import { describeRefused, foldOf } from './describe-refused.js';
import type { Refused } from './describe-refused.js';
import { beginningOf, beginningOfElement } from './sample-body.service.js';

/** Different ones held in memory until they are written. */
const MOST_WAITING = 1000;
/** Those of strangers among them: whoever has no token neither fills the list nor keeps the database writing. */
const MOST_OF_STRANGERS = 50;
/** Elements of one body that are looked at one by one; the others are counted with the last of them. */
const MOST_ELEMENTS = 100;
/** Pause between a refusal and its writing, milliseconds. */
const PAUSE = 1000;
/** Pause before the next try when the database did not answer, milliseconds. */
const RETRY = 10_000;

/**
 * Keeps what was refused, so that an operator can see why a sender's events do not arrive. Refusing waits for nothing here: alike
 * ones are folded in memory and written together a second later, and what finds no room is counted.
 */
@Injectable()
export class RefusedInput implements OnModuleInit, OnApplicationShutdown {
  #waiting = new Map<string, NewRejected>();
  #ofStrangers = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;
  readonly #refused: Counter<'code'>;
  readonly #unkept: Counter<'why'>;

  constructor(
    private readonly repository: RejectedRepository,
    private readonly clock: Clock,
    private readonly http: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
    @Inject(MESSAGE_MASK) private readonly mask: MessageMask = redactSecrets,
  ) {
    this.#refused = metrics.counter(
      'casebook_refused_total',
      'Bodies and elements of bodies of events that were refused, by the code of the refusal.',
      ['code'],
    );
    this.#unkept = metrics.counter(
      'casebook_refused_unkept_total',
      'Refused input that is not listed: too many different ones at once (overflow), the database did not answer (store), older ones that gave way (trimmed).',
      ['why'],
    );
    for (const why of ['overflow', 'store', 'trimmed']) this.#unkept.inc({ why }, 0);
  }

  onModuleInit(): void {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    server.decorateRequest('refusal');
    server.addHook('onResponse', async (request, reply) => this.#noteAnswer(request, reply));
  }

  /** Keeps the elements of a body that were refused; the rest of the body was taken. */
  elements(request: FastifyRequest, rejected: readonly Rejection[]): void {
    this.#elements(senderOf(request), rejected, (rejection) => beginningOf(request, refusedElement(rejection)));
  }

  /** Keeps what the watch of a cluster read from its API server and could not take; the rest of what it read was taken. */
  watched(cluster: string, server: string, rejected: readonly Rejection[]): void {
    this.#elements(watchOf(cluster, server), rejected, (rejection) => beginningOfElement(refusedElement(rejection)));
  }

  /** Writes what is waiting and resolves when it is durable or given up. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const list = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#ofStrangers = 0;
    if (list.length > 0) this.#writing = this.#writing.then(() => this.#write(list));
    await this.#writing;
  }

  /** Writes what is left. */
  async onApplicationShutdown(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  #elements(sender: Sender, rejected: readonly Rejection[], sampleOf: (rejection: Rejection) => string): void {
    const shared = { ...sender, code: 'BAD_ELEMENT' };
    for (const rejection of rejected.slice(0, MOST_ELEMENTS)) {
      const { index, reason } = rejection;
      this.#note({ ...shared, element: index, reason, count: 1, sample: () => sampleOf(rejection) });
    }
    const next = rejected[MOST_ELEMENTS];
    if (!next) return;
    const count = rejected.length - MOST_ELEMENTS;
    const reason = `${count} further elements of the same body were refused; the first for: ${next.reason}`;
    this.#note({ ...shared, element: next.index, reason, count, sample: () => sampleOf(next) });
  }

  /** A sender that is only asked to come back loses nothing, so that is no refusal. */
  #noteAnswer(request: FastifyRequest, { statusCode }: FastifyReply): void {
    if (statusCode < 400 || request.is404 || request.routeOptions.config.access !== 'token') return;
    if (typeof (request.params as { cluster?: unknown }).cluster !== 'string') return;
    const { code = 'REFUSED', message = `The answer was ${statusCode}.` } = request.refusal ?? {};
    if (code === 'BUSY') return;
    this.#note({ ...senderOf(request, code), code, reason: message, element: null, count: 1, sample: () => beginningOf(request) });
  }

  #note(refused: Refused): void {
    try {
      this.#refused.inc({ code: refused.code }, refused.count);
      const now = this.clock.now();
      const known = this.#waiting.get(foldOf(refused, now));
      if (known) {
        known.count += refused.count;
        known.lastAt = now;
      } else if (!this.#hasRoom(refused) || this.#closed) this.#unkept.inc({ why: 'overflow' }, refused.count);
      else {
        const described = describeRefused(refused, now, this.mask);
        this.#wait(described);
        this.#timer ??= detached(() => setTimeout(() => void this.flush(), PAUSE).unref());
      }
    } catch (error) {
      // The sender's answer does not depend on whether we can describe what it sent.
      this.#unkept.inc({ why: 'store' }, refused.count);
      this.logger.warn({ err: error }, 'refused input could not be described');
    }
  }

  #hasRoom({ stranger }: Pick<Refused, 'stranger'>): boolean {
    return this.#waiting.size < MOST_WAITING && (!stranger || this.#ofStrangers < MOST_OF_STRANGERS);
  }

  #wait(refused: NewRejected): void {
    this.#waiting.set(refused.fold, refused);
    if (refused.stranger) this.#ofStrangers++;
  }

  async #write(list: readonly NewRejected[]): Promise<void> {
    try {
      const trimmed = await this.repository.keep(list);
      if (trimmed > 0) this.#unkept.inc({ why: 'trimmed' }, trimmed);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError && !this.#closed) this.#putBack(list);
      else {
        for (const { count } of list) this.#unkept.inc({ why: 'store' }, count);
        this.logger.warn({ err: error, refused: list.length }, 'refused input could not be kept');
      }
    }
  }

  /** The database may be back in a while; as far as there is room, what it did not take waits for it. */
  #putBack(list: readonly NewRejected[]): void {
    for (const refused of list) {
      const known = this.#waiting.get(refused.fold);
      if (known) {
        known.count += refused.count;
        known.firstAt = refused.firstAt;
      } else if (this.#hasRoom(refused)) this.#wait(refused);
      else this.#unkept.inc({ why: 'overflow' }, refused.count);
    }
    this.#timer ??= detached(() => setTimeout(() => void this.flush(), RETRY).unref());
  }
}

/** Where refused input came from. */
type Sender = Omit<Refused, 'code' | 'reason' | 'element' | 'count' | 'sample'>;

/** A watch is a sender of our own: it has an API server in the place of an address, and no token of Casebook. */
function watchOf(cluster: string, server: string): Sender {
  const address = URL.canParse(server) ? new URL(server).host : '';
  return { cluster, format: 'watch', bytes: 0, address, userAgent: 'casebook watch', token: 'none', stranger: false };
}

function senderOf(request: FastifyRequest, code?: string): Sender {
  const { headers, body, query, params, caller } = request;
  const { format } = query as { format?: unknown };
  // Where no token is needed, whoever sends none is no stranger.
  const stranger = code === 'UNAUTHENTICATED' && (caller?.kind ?? 'anonymous') === 'anonymous';
  const length = Number(headers['content-length'] ?? 0);
  return {
    cluster: (params as { cluster: string }).cluster,
    format: typeof format === 'string' && format !== '' ? format : (headers['content-type'] ?? ''),
    bytes: body instanceof Uint8Array ? body.length : Number.isSafeInteger(length) ? length : 0,
    address: stranger ? networkOf(request.clientAddress) : request.clientAddress,
    stranger,
    userAgent: headers['user-agent'] ?? '',
    token: tokenOf(request, caller?.kind === 'cluster' ? caller.tokenId : undefined),
  };
}

function networkOf(address: string): string {
  const place = placeOf(address);
  return place === address ? address : `${place}::/64`;
}

/** Whose token it was, never the token. */
function tokenOf({ caller, headers }: FastifyRequest, tokenId: number | undefined): string {
  if (caller?.kind === 'user') return caller.id;
  if (caller?.kind === 'cluster') return tokenId === undefined ? `of cluster ${caller.name}` : String(tokenId);
  return headers.authorization === undefined ? 'none' : 'unknown';
}

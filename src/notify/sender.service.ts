import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { Metrics, SECONDS } from '../platform/metrics.service.js';
import { redactSecrets } from '../platform/redact-secrets.js';
import { detached, withSpan, withTrace } from '../platform/work-context.service.js';
import type { ClaimedDelivery, Outcome, Webhook, WebhookSecrets } from '../store/webhook.js';
import { WebhookUnknownError } from '../store/webhook.js';
import { WebhookRepository } from '../store/webhook.repository.js';
import { backOff, readRetryAfter } from './back-off.js';
import type { PostAnswer } from './http-post.service.js';
import { HttpPoster, TargetRefusedError } from './http-post.service.js';
import { judgeAnswer } from './judge-answer.js';
import { BOUNDS, NOTIFY_OPTIONS } from './notify-options.js';
import type { NotifyOptions } from './notify-options.js';
import type { SignedRequest } from './sign-request.service.js';
import { signRequest } from './sign-request.service.js';

/** Due messages are looked for this often, milliseconds. */
const POLL = 500;
/** What a message is kept from others beyond the time of a request, milliseconds. */
const GRACE = 5_000;
/** A target that fails is left alone for at most this long before another message is tried, milliseconds. */
const LONGEST_REST = 60_000;
const MOST_TEXT = 500;
/** What is under way when the service stops may take this long, milliseconds. */
const FAREWELL = 3_000;

/** Sends what waits in the outbox, of every webhook what its target can take. */
@Injectable()
export class Sender implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #poster: HttpPoster;
  readonly #results;
  readonly #took;
  readonly #running = new Set<Promise<void>>();
  readonly #perTarget = new Map<string, number>();
  /** Webhooks whose target failed: how often in a row, and until when it is left alone. */
  readonly #rests = new Map<string, { failures: number; until: number }>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly clock: Clock,
    @Inject(NOTIFY_OPTIONS) private readonly options: NotifyOptions,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#poster = new HttpPoster(options);
    this.#results = metrics.counter('casebook_webhook_attempts_total', 'Attempts to send a message, by what came of them.', ['result']);
    this.#took = metrics.histogram('casebook_webhook_attempt_duration_seconds', 'How long attempts to send a message took.', SECONDS);
    for (const result of ['delivered', 'retry', 'dead']) this.#results.inc({ result }, 0);
  }

  onApplicationBootstrap(): void {
    this.#wait(0);
  }

  /**
   * Takes nothing more, and writes down what comes of the requests that are under way. A receiver that does not answer soon is not waited
   * for: its message is given back, to be sent again by whoever comes next.
   */
  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const cutOff = setTimeout(() => void this.#poster.close(), FAREWELL);
    await Promise.all(this.#running);
    clearTimeout(cutOff);
    await this.#poster.close();
  }

  /** Looks for due messages now. */
  wake(): void {
    if (!this.#looking) this.#wait(0);
  }

  /** Sends one message that was taken, once, and says what came of it. */
  async sendOnce(delivery: ClaimedDelivery): Promise<void> {
    const webhook = await this.webhooks.get(delivery.webhookId);
    const outcome = await this.#attempt(webhook, delivery);
    await this.webhooks.finish(delivery, outcome.status === 'pending' ? { ...outcome, status: 'dead' } : outcome);
  }

  /** How long a message is kept from other senders, milliseconds. */
  get lease(): number {
    return this.options.timeout + GRACE;
  }

  #wait(pause: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const look = (): void => {
      this.#looking = this.#look()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'messages could not be read and will be looked for again'))
        .finally(() => {
          this.#looking = undefined;
          this.#wait(POLL);
        });
    };
    this.#timer = detached(() => setTimeout(look, pause));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const now = this.clock.now();
    for (const { id, target } of await this.webhooks.due()) {
      if (this.#stopped) return;
      const rest = this.#rests.get(id);
      if (rest && rest.until > now) continue;
      // A target that failed last time is tried with one message.
      const most = rest ? 1 : BOUNDS.perTarget;
      const free = Math.min(most - (this.#perTarget.get(target) ?? 0), BOUNDS.requests - this.#running.size);
      if (free <= 0) continue;
      for (const delivery of await this.webhooks.claim(id, free, this.lease)) this.#start(target, delivery);
    }
  }

  #start(target: string, delivery: ClaimedDelivery): void {
    this.#perTarget.set(target, (this.#perTarget.get(target) ?? 0) + 1);
    const attributes = { 'casebook.delivery': delivery.id, 'casebook.attempt': delivery.attempts };
    const run = withTrace('webhook delivery', { attributes }, () => this.#send(delivery))
      .catch((error: unknown) =>
        this.logger.warn({ delivery: delivery.id, err: error }, 'what came of a message could not be written down'),
      )
      .finally(() => {
        this.#running.delete(run);
        const left = this.#perTarget.get(target)! - 1;
        if (left > 0) this.#perTarget.set(target, left);
        else this.#perTarget.delete(target);
        this.wake();
      });
    this.#running.add(run);
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    if (delivery.aboutStatus === 'dead') {
      await this.webhooks.finish(delivery, notSent('the message that told of the failure was not delivered'));
      return;
    }
    let webhook: Webhook;
    try {
      webhook = await this.webhooks.get(delivery.webhookId);
    } catch (error) {
      // Deleted with its messages a moment ago.
      if (error instanceof WebhookUnknownError) return;
      throw error;
    }
    const outcome = await this.#attempt(webhook, delivery);
    this.#rest(webhook.id, outcome);
    await this.webhooks.finish(delivery, outcome);
    if (outcome.status === 'dead') {
      this.logger.warn(
        { webhook: webhook.name, delivery: delivery.id, attempts: delivery.attempts, why: outcome.error },
        'a message was given up',
      );
    }
  }

  /** Has a webhook that was changed tried at once. */
  refresh(id: string): void {
    this.#rests.delete(id);
    this.wake();
  }

  #rest(id: string, { status, pause, asked }: Outcome): void {
    if (status !== 'pending') {
      this.#rests.delete(id);
      return;
    }
    const failures = (this.#rests.get(id)?.failures ?? 0) + 1;
    const own = Math.min(LONGEST_REST, this.options.retry * 2 ** Math.min(10, failures - 1));
    // What a receiver asks for is meant for all that is sent to it.
    const rest = Math.max(Math.min(own, pause ?? own), Math.min(asked ?? 0, pause ?? 0));
    this.#rests.set(id, { failures, until: this.clock.now() + rest });
  }

  /** One attempt, whatever comes of it. */
  async #attempt(webhook: Webhook, delivery: ClaimedDelivery): Promise<Outcome> {
    const began = performance.now();
    const outcome = await this.#post(webhook, delivery);
    this.#took.observe((performance.now() - began) / 1000);
    this.#results.inc({ result: outcome.status === 'pending' ? 'retry' : outcome.status });
    return outcome;
  }

  async #post(webhook: Webhook, delivery: ClaimedDelivery): Promise<Outcome> {
    let secrets: WebhookSecrets;
    try {
      secrets = this.webhooks.secretsOf(webhook);
    } catch (error) {
      return this.#again(delivery, (error as Error).message, undefined);
    }
    try {
      const answer = await this.#ask(signRequest(webhook.preset, secrets, delivery, this.clock.now()));
      const { result, error } = judgeAnswer(webhook.preset, answer);
      const answered = { answerCode: answer.status, answer: masked(answer.body, secrets) };
      if (result === 'delivered') return { status: 'delivered', ...answered, error: null };
      if (result === 'dead') return { status: 'dead', ...answered, error };
      return { ...this.#again(delivery, error!, readRetryAfter(answer.retryAfter, this.clock.now())), ...answered };
    } catch (error) {
      const why = masked(whyOf(error as Error), secrets);
      return error instanceof TargetRefusedError ? notSent(why) : this.#again(delivery, why, undefined);
    }
  }

  /** A span of its own for the request, whose receiver is told of the trace. The address stays out of it: its path may be a secret. */
  #ask(request: SignedRequest): Promise<PostAnswer> {
    const { hostname, port, protocol } = new URL(request.url);
    const attributes = {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
    };
    return withSpan('POST', { kind: 'client', attributes }, async (span) => {
      const answer = await this.#poster.post(
        span ? { ...request, headers: { ...request.headers, traceparent: span.traceparent } } : request,
      );
      span?.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 400) span?.fail(String(answer.status));
      return answer;
    });
  }

  #again({ attempts, age }: ClaimedDelivery, error: string, asked: number | undefined): Outcome {
    const { attempts: most, retry } = this.options;
    const pause = backOff(attempts, retry, Math.random(), asked);
    if (attempts >= most) return notSent(`${error}; that was attempt ${attempts} of ${most}`);
    if (age + pause > BOUNDS.age) return notSent(`${error}; the message would be older than a day at the next attempt`);
    return { status: 'pending', pause, asked, answerCode: null, answer: null, error };
  }
}

function notSent(error: string): Outcome {
  return { status: 'dead', answerCode: null, answer: null, error };
}

/** What went wrong, without the request's address. */
function whyOf(error: Error & { code?: string; cause?: unknown }): string {
  if (error.name === 'TimeoutError' || error.code === 'UND_ERR_HEADERS_TIMEOUT' || error.code === 'UND_ERR_CONNECT_TIMEOUT')
    return 'there was no answer in time';
  return error.code !== undefined && !error.message.includes(error.code) ? `${error.message} (${error.code})` : error.message;
}

/** The beginning of a text from outside, without what is secret: receivers like to repeat what they were sent. */
function masked(text: string, { url, secret, headers }: WebhookSecrets): string {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 6);
  const own = [url, `${pathname}${search}`, ...parts, secret ?? '', ...Object.values(headers)].filter((each) => each.length >= 4);
  const hidden = own.reduce((left, each) => left.replaceAll(each, '***'), text);
  return redactSecrets(hidden).replaceAll('\0', '').slice(0, MOST_TEXT);
}

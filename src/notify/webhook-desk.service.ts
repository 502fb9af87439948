import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../platform/clock.js';
import { RequestError } from '../platform/refusal.js';
import type { DeliveryRecord, Webhook } from '../store/webhook.js';
import { WebhookConflictError, WebhookUnknownError } from '../store/webhook.js';
import { afterCommit } from '../store/together.service.js';
import { WebhookRepository } from '../store/webhook.repository.js';
import type { WantedWebhook } from './check-webhook.js';
import { checkWebhook } from './check-webhook.js';
import { Dispatcher } from './dispatcher.service.js';
import { BOUNDS, NOTIFY_OPTIONS } from './notify-options.js';
import type { NotifyOptions } from './notify-options.js';
import { renderBody } from './render-body.js';
import { Sender } from './sender.service.js';

/** Looks after webhooks for callers. */
@Injectable()
export class WebhookDesk {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly sender: Sender,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(NOTIFY_OPTIONS) private readonly options: NotifyOptions,
  ) {}

  /** Throws RequestError BAD_INPUT, WebhookConflictError, or SealError NO_SECRET_KEY. */
  create(wanted: WantedWebhook): Promise<Webhook> {
    const { settings, secrets, target } = checkWebhook(wanted, undefined, this.options.allowed);
    return this.webhooks.create(settings, secrets, target, BOUNDS.webhooks);
  }

  /** Changes what is said of a webhook. Throws as `create`, and WebhookUnknownError. */
  async update(id: string, wanted: WantedWebhook): Promise<Webhook> {
    const present = await this.webhooks.get(id);
    // What is replaced altogether need not be readable: the key that sealed it may be lost.
    const replaced = wanted.url !== undefined && wanted.secret !== undefined && wanted.headers !== undefined;
    const before = replaced ? { url: '', headers: {} } : this.webhooks.secretsOf(present);
    const { settings, secrets, target } = checkWebhook(wanted, { settings: settingsOf(present), secrets: before }, this.options.allowed);
    const keeps = wanted.secret !== undefined || wanted.headers !== undefined || wanted.url === undefined || target === present.target;
    // Whoever may point a webhook elsewhere must not get what its old receiver was trusted with.
    if (!keeps && (before.secret !== undefined || Object.keys(before.headers).length > 0)) {
      throw new RequestError(
        'BAD_INPUT',
        `url: it leads to ${target} instead of ${present.target}: give secret and headers anew, or null for none.`,
      );
    }
    const updated = await this.webhooks.update(id, settings, secrets, target);
    afterCommit(() => {
      if (updated.enabled && !present.enabled) this.dispatcher.lookForEnded();
      this.sender.refresh(id);
    });
    return updated;
  }

  delete(id: string): Promise<Webhook> {
    return this.webhooks.delete(id);
  }

  /** Sends a test at once, once, and returns what came of it. Throws WebhookUnknownError. */
  async test(id: string): Promise<DeliveryRecord> {
    const webhook = await this.webhooks.get(id);
    const message = {
      id: randomUUID(),
      webhook: webhook.name,
      locale: webhook.locale,
      at: this.clock.now(),
      kind: 'TEST',
      digest: null,
    } as const;
    const body = renderBody(webhook, message);
    await this.webhooks.addClaimed({ id: message.id, webhookId: id, kind: 'TEST', body }, this.sender.lease);
    await this.sender.sendOnce({ id: message.id, webhookId: id, kind: 'TEST', body, attempts: 1, age: 0, aboutStatus: null });
    return this.#delivery(message.id);
  }

  /**
   * Has a dead message sent again, and those that were given up because of it. Throws WebhookUnknownError, or WebhookConflictError when it
   * is not dead or comes too late.
   */
  async resend(id: string): Promise<DeliveryRecord> {
    const { status } = await this.#delivery(id);
    if (status !== 'dead') throw new WebhookConflictError(`The message ${id} is ${status}; only one that is dead can be sent again.`);
    if ((await this.webhooks.resend({ id }, BOUNDS.resend)) === 0)
      throw new WebhookConflictError(`The message ${id} is out of date: a later one about its incident was delivered.`);
    afterCommit(() => this.sender.wake());
    return this.#delivery(id);
  }

  /** Has the oldest dead messages of a webhook sent again, at most a thousand; returns how many. Throws WebhookUnknownError. */
  async resendAll(webhookId: string): Promise<number> {
    await this.webhooks.get(webhookId);
    const count = await this.webhooks.resend({ webhookId }, BOUNDS.resend);
    afterCommit(() => this.sender.wake());
    return count;
  }

  async #delivery(id: string): Promise<DeliveryRecord> {
    const [found] = await this.webhooks.deliveries({ ids: [id], limit: 1 });
    if (!found) throw new WebhookUnknownError(`There is no message ${id}.`);
    return found;
  }
}

function settingsOf(webhook: Webhook) {
  const { name, preset, template, filter, kinds, locale, holdSeconds, flapSeconds, stormCount, stormSeconds, enabled } = webhook;
  return { name, preset, template, filter, kinds, locale, holdSeconds, flapSeconds, stormCount, stormSeconds, enabled };
}

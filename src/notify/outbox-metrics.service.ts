import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { LookedUp } from '../platform/looked-up.service.js';
import { Metrics } from '../platform/metrics.service.js';
import type { OutboxState } from '../store/webhook.repository.js';
import { WebhookRepository } from '../store/webhook.repository.js';

/** Shows the state of the outbox among the metrics: looked up when somebody reads them, in one statement. */
@Injectable()
export class OutboxMetrics implements OnModuleInit {
  readonly #state: LookedUp<OutboxState>;

  constructor(
    private readonly metrics: Metrics,
    webhooks: WebhookRepository,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#state = new LookedUp(
      clock,
      () => webhooks.state(),
      (error) => logger.warn({ err: error }, 'the outbox could not be looked at for the metrics'),
    );
  }

  onModuleInit(): void {
    this.#gauge('casebook_webhook_outbox', 'Messages of webhooks that wait to be sent.', ({ pending }) => pending);
    this.#gauge('casebook_webhook_dead_letters', 'Messages of webhooks that were given up and are kept.', ({ dead }) => dead);
    this.#gauge(
      'casebook_webhook_oldest_seconds',
      'Age of the oldest message of a webhook that waits, seconds; 0 when none does.',
      ({ oldest }) => oldest / 1000,
    );
  }

  #gauge(name: string, help: string, read: (state: OutboxState) => number): void {
    this.metrics.gauge(name, help, [], async (gauge) => {
      const state = await this.#state.get();
      // Without the database there is no number, and the other metrics are read all the same.
      gauge.set(state ? read(state) : NaN);
    });
  }
}

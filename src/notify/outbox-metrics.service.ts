import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { Metrics } from '../platform/metrics.service.js';
import type { OutboxState } from '../store/webhook.repository.js';
import { WebhookRepository } from '../store/webhook.repository.js';

/** What was looked up serves all metrics of one reading, milliseconds. */
const FRESH = 5_000;

/** Shows the state of the outbox among the metrics: looked up when somebody reads them, in one statement. */
@Injectable()
export class OutboxMetrics implements OnModuleInit {
  #found: { at: number; state: Promise<OutboxState | undefined> } | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly webhooks: WebhookRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

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
      const state = await this.#state();
      // Without the database there is no number, and the other metrics are read all the same.
      gauge.set(state ? read(state) : NaN);
    });
  }

  #state(): Promise<OutboxState | undefined> {
    const now = this.clock.now();
    if (!this.#found || now - this.#found.at > FRESH) {
      const state = this.webhooks.state().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the outbox could not be looked at for the metrics');
        return undefined;
      });
      this.#found = { at: now, state };
    }
    return this.#found.state;
  }
}

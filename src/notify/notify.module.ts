import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { BackgroundService } from '../pipeline/background.service.js';
import type { TellFailure } from '../pipeline/background.service.js';
import { Metrics } from '../platform/metrics.service.js';
import { OutboxRepository } from '../store/outbox.repository.js';
import { WebhookRepository } from '../store/webhook.repository.js';
import { Dispatcher } from './dispatcher.service.js';
import { BOUNDS, NOTIFY_OPTIONS } from './notify-options.js';
import type { NotifyOptions } from './notify-options.js';
import { OutboxMetrics } from './outbox-metrics.service.js';
import { Sender } from './sender.service.js';
import { WebhookDesk } from './webhook-desk.service.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const JOBS = Symbol('NotifyJobs');

/** Tells changes of incidents over HTTP. Needs StoreModule, KnowledgeModule, PipelineModule and PlatformModule to be global. */
@Module({})
export class NotifyModule {
  static register(options: NotifyOptions, tellFailure: TellFailure): DynamicModule {
    return {
      module: NotifyModule,
      global: true,
      providers: [
        { provide: NOTIFY_OPTIONS, useValue: options },
        OutboxRepository,
        WebhookRepository,
        Sender,
        Dispatcher,
        WebhookDesk,
        OutboxMetrics,
        {
          provide: JOBS,
          inject: [WebhookRepository, Metrics],
          useFactory: (webhooks: WebhookRepository, metrics: Metrics) =>
            new BackgroundService(
              [
                { name: 'webhook-age', every: MINUTE, run: () => webhooks.giveUp(BOUNDS.age, 'it waited for more than a day') },
                { name: 'webhook-retention', every: HOUR, run: () => webhooks.dropOld(options.days) },
              ],
              tellFailure,
              metrics,
            ),
        },
      ],
      exports: [WebhookRepository, WebhookDesk, Sender, Dispatcher],
    };
  }
}

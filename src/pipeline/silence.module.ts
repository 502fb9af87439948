import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/metrics.service.js';
import { HealthRepository } from '../store/health.repository.js';
import type { SilenceAfter } from '../store/queries/find-cluster-signs.js';
import { RejectedRepository } from '../store/rejected.repository.js';
import type { TellFailure } from './background.service.js';
import { BackgroundService } from './background.service.js';
import { ClusterHealthService } from './cluster-health.service.js';
import { SilenceService } from './silence.service.js';

/** What the watch over silence is told from outside. */
export interface SilenceOptions {
  silenceAfter: SilenceAfter;
  /** Days that refused input is kept. */
  rejectedDays: number;
  tellFailure: TellFailure;
}

/** Pause between two looks for clusters that have fallen silent or are heard again, milliseconds. */
const EVERY = 15_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const JOBS = Symbol('SilenceJobs');

/** Tells how clusters are doing, and raises an incident where one has fallen silent. Needs StoreModule and PipelineModule to be global. */
@Module({})
export class SilenceModule {
  static register({ silenceAfter, rejectedDays, tellFailure }: SilenceOptions): DynamicModule {
    return {
      module: SilenceModule,
      global: true,
      providers: [
        SilenceService,
        {
          provide: ClusterHealthService,
          inject: [HealthRepository, Clock],
          useFactory: (repository: HealthRepository, clock: Clock) => new ClusterHealthService(repository, clock, silenceAfter),
        },
        {
          provide: JOBS,
          inject: [SilenceService, HealthRepository, RejectedRepository, Metrics],
          useFactory: (silence: SilenceService, health: HealthRepository, rejected: RejectedRepository, metrics: Metrics) =>
            new BackgroundService(
              [
                { name: 'silence', every: EVERY, run: () => silence.run() },
                { name: 'health-retention', every: HOUR, run: () => health.dropOld() },
                { name: 'rejected-retention', every: MINUTE, run: () => rejected.dropOld(rejectedDays) },
              ],
              tellFailure,
              metrics,
            ),
        },
      ],
      exports: [SilenceService, ClusterHealthService],
    };
  }
}

import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { IntakeRepository } from '../store/intake.repository.js';
import { PartitionRepository } from '../store/partition.repository.js';
import { BackgroundService } from './background.service.js';
import type { TellFailure } from './background.service.js';
import { IntakeService } from './intake.service.js';
import type { IntakeLimits } from './intake.service.js';
import { QuietService } from './quiet.service.js';
import { RecogniserService } from './recogniser.service.js';

/** What the pipeline is told from outside. */
export interface PipelineOptions {
  limits: IntakeLimits;
  /** Age in days at which raw data is dropped. */
  retentionDays: number;
  /** Pause between two looks for what silence has ended, milliseconds. */
  quietEvery: number;
  tellFailure: TellFailure;
}

const HOUR = 3_600_000;

/**
 * From events to stored incidents. Needs StoreModule and KnowledgeModule to be global.
 */
@Module({})
export class PipelineModule {
  static register({ limits, retentionDays, quietEvery, tellFailure }: PipelineOptions): DynamicModule {
    return {
      module: PipelineModule,
      global: true,
      providers: [
        RecogniserService,
        QuietService,
        {
          provide: IntakeService,
          inject: [IntakeRepository, RecogniserService],
          useFactory: (repository: IntakeRepository, recognisers: RecogniserService) => new IntakeService(repository, recognisers, limits),
        },
        {
          provide: BackgroundService,
          inject: [QuietService, PartitionRepository],
          useFactory: (quiet: QuietService, partitions: PartitionRepository) =>
            new BackgroundService(
              [
                { name: 'quiet', every: quietEvery, run: () => quiet.run() },
                { name: 'retention', every: HOUR, run: () => partitions.maintain(retentionDays) },
              ],
              tellFailure,
            ),
        },
      ],
      exports: [IntakeService, RecogniserService, QuietService],
    };
  }
}

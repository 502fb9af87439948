import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { IncidentChangeRepository } from '../store/incident-change.repository.js';
import { IntakeRepository } from '../store/intake.repository.js';
import { UndiagnosedRepository } from '../store/undiagnosed.repository.js';
import { PartitionRepository } from '../store/partition.repository.js';
import type { MessageMask } from '../platform/message-mask.js';
import { MESSAGE_MASK } from '../platform/message-mask.js';
import { Metrics } from '../platform/metrics.service.js';
import { BackgroundService } from './background.service.js';
import type { TellFailure } from './background.service.js';
import { Silencings } from './silencings.service.js';
import { IncidentWork } from './incident-work.service.js';
import { EverywhereService } from './everywhere.service.js';
import { ForgettingRepository } from '../store/forgetting.repository.js';
import { ForgettingService } from './forgetting.service.js';
import type { KeptDays } from './forgetting.service.js';
import { IntakeService } from './intake.service.js';
import type { IntakeLimits } from './intake.service.js';
import { QuietService } from './quiet.service.js';
import { RecogniserService } from './recogniser.service.js';
import { RediagnosisService } from './rediagnosis.service.js';
import { RemovalService } from './removal.service.js';
import { ReplayService } from './replay.service.js';

/** What the pipeline is told from outside. */
export interface PipelineOptions {
  limits: IntakeLimits;
  /** Age in days at which raw data is dropped. */
  retentionDays: number;
  /** How long other things are kept. */
  retention: KeptDays;
  /** Age in days at which changes of incidents are dropped. */
  changeDays: number;
  /** Pause between two looks for what silence has ended, milliseconds. */
  quietEvery: number;
  /** Pause between two looks for clusters to remove, milliseconds. */
  removalEvery: number;
  tellFailure: TellFailure;
}

const HOUR = 3_600_000;
/** An incident that only grows is told of this often at most, milliseconds. */
const GROWTH_EVERY = 5_000;
/** Pause between two rounds of making sums over all clusters anew, milliseconds. */
const EVERYWHERE_EVERY = 60_000;
/** Pause between two looks whether knowledge has changed, milliseconds. */
const REDIAGNOSE_EVERY = 5_000;

/**
 * From events to stored incidents. Needs StoreModule and KnowledgeModule to be global.
 */
@Module({})
export class PipelineModule {
  static register({ limits, retentionDays, retention, changeDays, quietEvery, removalEvery, tellFailure }: PipelineOptions): DynamicModule {
    return {
      module: PipelineModule,
      global: true,
      providers: [
        RecogniserService,
        QuietService,
        RemovalService,
        EverywhereService,
        ReplayService,
        RediagnosisService,
        IncidentWork,
        Silencings,
        {
          provide: IntakeService,
          inject: [IntakeRepository, RecogniserService, MESSAGE_MASK, Metrics],
          useFactory: (repository: IntakeRepository, recognisers: RecogniserService, mask: MessageMask, metrics: Metrics) =>
            new IntakeService(repository, recognisers, limits, mask, metrics),
        },
        {
          provide: ForgettingService,
          inject: [ForgettingRepository],
          useFactory: (repository: ForgettingRepository) => new ForgettingService(repository, retention),
        },
        {
          provide: BackgroundService,
          inject: [QuietService, PartitionRepository, RemovalService, IncidentChangeRepository, UndiagnosedRepository, ForgettingService, RediagnosisService, EverywhereService, Metrics],
          useFactory: (
            quiet: QuietService,
            partitions: PartitionRepository,
            removal: RemovalService,
            changes: IncidentChangeRepository,
            undiagnosed: UndiagnosedRepository,
            forgetting: ForgettingService,
            rediagnosis: RediagnosisService,
            everywhere: EverywhereService,
            metrics: Metrics,
          ) =>
            new BackgroundService(
              [
                { name: 'quiet', every: quietEvery, run: () => quiet.run() },
                { name: 'removal', every: removalEvery, run: () => removal.run() },
                { name: 'retention', every: HOUR, run: () => partitions.maintain(retentionDays, null, changeDays).then((done) => done && forgetting.run()) },
                { name: 'undiagnosed', every: HOUR, run: () => undiagnosed.dropOld(retentionDays) },
                { name: 'removal-sweep', every: HOUR, run: () => removal.sweep() },
                { name: 'rediagnosis', every: REDIAGNOSE_EVERY, run: () => rediagnosis.run() },
                { name: 'everywhere', every: EVERYWHERE_EVERY, run: () => everywhere.run() },
                { name: 'growth', every: GROWTH_EVERY, run: () => changes.tellGrowth() },
              ],
              tellFailure,
              metrics,
            ),
        },
      ],
      exports: [IntakeService, RecogniserService, ReplayService, QuietService, IncidentWork, Silencings],
    };
  }
}

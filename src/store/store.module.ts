import { Module, type DynamicModule } from '@nestjs/common';
import { Metrics } from '../platform/metrics.service.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { AuditRepository } from './audit.repository.js';
import { ClusterCredentialRepository } from './cluster-credential.repository.js';
import { ClusterRemovalRepository } from './cluster-removal.repository.js';
import { ClusterRepository } from './cluster.repository.js';
import { Database, type DatabaseOptions } from './database.service.js';
import { EverywhereRepository } from './everywhere.repository.js';
import { ForgettingRepository } from './forgetting.repository.js';
import { HealthRepository } from './health.repository.js';
import { ChangeEpochs } from './change-epochs.service.js';
import { ChangeListener } from './change-listener.service.js';
import { IncidentChangeRepository } from './incident-change.repository.js';
import { RejectedRepository } from './rejected.repository.js';
import { IncidentRepository } from './incident.repository.js';
import { IntakeRepository } from './intake.repository.js';
import { PartitionRepository } from './partition.repository.js';
import { Prisma } from './prisma.service.js';
import { Registrations } from './registrations.service.js';
import { SilencingRepository } from './silencing.repository.js';
import { Sealer } from './seal.service.js';
import type { SecretKeys } from './seal.service.js';
import { RediagnosisRepository } from './rediagnosis.repository.js';
import { StoredEventRepository } from './stored-event.repository.js';
import { TrendRepository } from './trend.repository.js';
import { UndiagnosedRepository } from './undiagnosed.repository.js';
import { WatchRepository } from './watch.repository.js';

/** Gives every room the database's repositories. Needs PlatformModule to be global. */
@Module({})
export class StoreModule {
  /** The module on one database, which has all migrations applied; `keys` seal the secrets that it keeps. */
  static register(options: DatabaseOptions, keys: SecretKeys = {}): DynamicModule {
    const exported = [
      ApiTokenRepository,
      AuditRepository,
      ClusterRepository,
      EverywhereRepository,
      ForgettingRepository,
      HealthRepository,
      ClusterCredentialRepository,
      ClusterRemovalRepository,
      Registrations,
      IncidentRepository,
      IncidentChangeRepository,
      ChangeListener,
      IntakeRepository,
      PartitionRepository,
      RejectedRepository,
      SilencingRepository,
      WatchRepository,
      TrendRepository,
      UndiagnosedRepository,
      StoredEventRepository,
      RediagnosisRepository,
    ];
    const database = { provide: Database, inject: [Metrics], useFactory: (metrics: Metrics) => new Database(options, metrics) };
    const sealer = { provide: Sealer, useFactory: () => new Sealer(keys) };
    return {
      module: StoreModule,
      global: true,
      providers: [database, Prisma, sealer, ChangeEpochs, ...exported],
      exports: [Database, Sealer, ...exported],
    };
  }
}

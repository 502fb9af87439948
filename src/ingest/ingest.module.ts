import { Module, type DynamicModule } from '@nestjs/common';
import { AccessGuard } from './access.guard.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { IntakeController } from './intake.controller.js';
import { KnownClusters } from './known-clusters.service.js';

/** The doors that events come in through, and the check of tokens for every route. */
@Module({})
export class IngestModule {
  static register(options: IngestOptions): DynamicModule {
    return {
      module: IngestModule,
      controllers: [IntakeController],
      providers: [{ provide: INGEST_OPTIONS, useValue: options }, KnownClusters, AccessGuard],
    };
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { CallerCheck } from '../platform/access.js';
import { AccessGuard } from './access.guard.js';
import { ClusterGuard } from './cluster.guard.js';
import { ClusterLimits } from './cluster-limits.service.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { IntakeDoor } from './intake-door.service.js';
import { IntakeController } from './intake.controller.js';
import { KnownApiTokens } from './known-api-tokens.service.js';
import { KnownClusters } from './known-clusters.service.js';
import { OidcTokens } from './oidc/oidc-tokens.service.js';
import { TokenCheck } from './token-check.service.js';
import { RefusedInput } from './refused-input.service.js';
import { OtlpController } from './otlp.controller.js';

/** The doors that events come in through, and the check of tokens for every route. */
@Module({})
export class IngestModule {
  static register(options: IngestOptions): DynamicModule {
    return {
      module: IngestModule,
      global: true,
      controllers: [IntakeController, OtlpController],
      providers: [{ provide: INGEST_OPTIONS, useValue: options }, KnownClusters, KnownApiTokens, OidcTokens, TokenCheck, AccessGuard, { provide: CallerCheck, useExisting: AccessGuard }, ClusterLimits, ClusterGuard, RefusedInput, IntakeDoor],
      exports: [CallerCheck, RefusedInput],
    };
  }
}

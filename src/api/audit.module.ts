import { Module, type DynamicModule } from '@nestjs/common';
import { BackgroundService } from '../pipeline/background.service.js';
import type { TellFailure } from '../pipeline/background.service.js';
import { RefusalTrail } from '../platform/access.js';
import { Metrics } from '../platform/metrics.service.js';
import { AuditRepository } from '../store/audit.repository.js';
import { AuditTrail } from './audit-trail.service.js';

/** What the audit log is told from outside. */
export interface AuditOptions {
  /** Days that entries are kept, at least 30. */
  auditDays: number;
  tellFailure: TellFailure;
}

const HOUR = 3_600_000;
const JOBS = Symbol('AuditJobs');

/** The audit log, for both APIs and the doors. Needs StoreModule and PlatformModule to be global. */
@Module({})
export class AuditModule {
  static register({ auditDays, tellFailure }: AuditOptions): DynamicModule {
    const jobs = {
      provide: JOBS,
      inject: [AuditRepository, Metrics],
      useFactory: (audit: AuditRepository, metrics: Metrics) =>
        new BackgroundService([{ name: 'audit-retention', every: HOUR, run: () => audit.dropOld(auditDays) }], tellFailure, metrics),
    };
    const refusals = { provide: RefusalTrail, useExisting: AuditTrail };
    return { module: AuditModule, global: true, providers: [AuditTrail, refusals, jobs], exports: [AuditTrail, RefusalTrail] };
  }
}

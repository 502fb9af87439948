import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AuditModule } from './api/audit.module.js';
import { GraphqlApiModule } from './api/graphql/graphql-api.module.js';
import type { DocumentOptions } from './api/graphql/persisted-documents.service.js';
import { LiveModule } from './api/live/live.module.js';
import { RefusalFilter } from './api/refusal.filter.js';
import { RestApiModule } from './api/rest/rest-api.module.js';
import type { Config } from './config/config.js';
import { isLoopback } from './config/is-loopback.js';
import { IngestModule } from './ingest/ingest.module.js';
import { WatchModule } from './ingest/watch/watch.module.js';
import { KnowledgeModule } from './knowledge/knowledge.module.js';
import type { KnowledgeService } from './knowledge/knowledge.service.js';
import { NotifyModule } from './notify/notify.module.js';
import { PipelineModule } from './pipeline/pipeline.module.js';
import { SilenceModule } from './pipeline/silence.module.js';
import type { Logger } from './platform/logger.service.js';
import type { MessageMask } from './platform/message-mask.js';
import { PlatformModule } from './platform/platform.module.js';
import type { ServiceState } from './platform/service-state.js';
import { StoreModule } from './store/store.module.js';

/** What the program is put together from. */
export interface AppOptions {
  config: Config;
  logger: Logger;
  /** What every message goes through before it is stored. */
  mask: MessageMask;
  state: ServiceState;
  /** What is asked for by an id over GraphQL. */
  documents: DocumentOptions;
  /** Loaded already. */
  knowledge: KnowledgeService;
  /** Database with all migrations applied. */
  databaseUrl: string;
  /** Folder of those migrations. */
  migrationsFolder: string;
}

/** Most events of one transaction, and those that may wait, before senders are asked to come back. */
const BATCH = 1000;
const HIGH = 20_000;
const MAX_WRITERS = 4;
const MAX_EVENTS_PER_BODY = 50_000;
const QUIET_EVERY_MS = 10_000;
const REMOVAL_EVERY_MS = 2_000;

/** The only file that knows every room. */
@Module({})
export class AppModule {
  static register({ config, logger, mask, state, documents, knowledge, databaseUrl, migrationsFolder }: AppOptions): DynamicModule {
    const { auth, adminToken, maxInflatedBytes, database, retentionDays } = config;
    const tellFailure = (job: string, error: unknown): void => logger.warn({ job, err: error }, 'background work failed and will be tried again');
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(logger, mask, state),
        StoreModule.register({ url: databaseUrl, pool: database.pool.others, reads: { pool: database.pool.reads, timeout: database.readTimeout } }, { current: config.secretKey, old: config.secretKeyOld }),
        KnowledgeModule.register(knowledge),
        PipelineModule.register({
          limits: { batch: BATCH, high: HIGH, writers: Math.max(1, Math.min(MAX_WRITERS, database.pool.others - 2)) },
          retentionDays,
          retention: config.retention,
          changeDays: config.changeDays,
          quietEvery: QUIET_EVERY_MS,
          removalEvery: REMOVAL_EVERY_MS,
          tellFailure,
        }),
        SilenceModule.register({ silenceAfter: config.silenceAfter, rejectedDays: config.rejectedDays, tellFailure }),
        IngestModule.register({
          auth,
          onLoopback: isLoopback(config.host),
          ownKnowledge: config.knowledgeDir !== undefined,
          adminToken,
          oidc: config.oidc,
          maxBodyBytes: config.maxBodyBytes,
          maxInflatedBytes,
          maxEvents: MAX_EVENTS_PER_BODY,
          eventsPerSecond: config.clusterEventsPerSecond,
        }),
        WatchModule.register(config.watch),
        LiveModule.register({ maxSubscriptions: config.maxSubscriptions, maxUndelivered: config.maxUndelivered }),
        AuditModule.register({ auditDays: config.auditDays, tellFailure }),
        NotifyModule.register({ ...config.webhooks, allowed: config.webhooks.allow }, tellFailure),
        RestApiModule.register({ migrationsFolder }),
        GraphqlApiModule.register(documents),
      ],
      providers: [{ provide: APP_FILTER, useClass: RefusalFilter }],
    };
  }
}

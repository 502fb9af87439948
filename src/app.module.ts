import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphqlApiModule } from './api/graphql/graphql-api.module.js';
import { RefusalFilter } from './api/refusal.filter.js';
import { RestApiModule } from './api/rest/rest-api.module.js';
import type { Config } from './config/config.js';
import { IngestModule } from './ingest/ingest.module.js';
import { KnowledgeModule } from './knowledge/knowledge.module.js';
import type { KnowledgeService } from './knowledge/knowledge.service.js';
import { PipelineModule } from './pipeline/pipeline.module.js';
import type { Logger } from './platform/logger.service.js';
import { PlatformModule } from './platform/platform.module.js';
import { StoreModule } from './store/store.module.js';

/** What the program is put together from. */
export interface AppOptions {
  config: Config;
  logger: Logger;
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

/** The only file that knows every room. */
@Module({})
export class AppModule {
  static register({ config, logger, knowledge, databaseUrl, migrationsFolder }: AppOptions): DynamicModule {
    const { auth, adminToken, maxInflatedBytes, databasePool, retentionDays } = config;
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(logger),
        StoreModule.register({ url: databaseUrl, pool: databasePool }),
        KnowledgeModule.register(knowledge),
        PipelineModule.register({
          limits: { batch: BATCH, high: HIGH, writers: Math.max(1, Math.min(MAX_WRITERS, databasePool - 2)) },
          retentionDays,
          quietEvery: QUIET_EVERY_MS,
          tellFailure: (job, error) => logger.warn({ job, err: error }, 'background work failed and will be tried again'),
        }),
        IngestModule.register({ auth, adminToken, maxInflatedBytes, maxEvents: MAX_EVENTS_PER_BODY }),
        RestApiModule.register({ migrationsFolder }),
        GraphqlApiModule,
      ],
      providers: [{ provide: APP_FILTER, useClass: RefusalFilter }],
    };
  }
}

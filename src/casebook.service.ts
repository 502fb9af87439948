import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { LIMITS } from './api/graphql/limits.js';
import { loadTrustedDocuments } from './api/graphql/trusted-documents.loader.js';
import { ChangeFeed } from './api/live/change-feed.service.js';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import type { StopConfig } from './config/stop-config.js';
import { KnowledgeService } from './knowledge/knowledge.service.js';
import { readClientAddress } from './platform/client-address.js';
import { EmbeddedPostgres } from './platform/embedded-postgres.service.js';
import { createHttpAdapter, listen } from './platform/http-adapter.service.js';
import { HttpConnections } from './platform/http-connections.service.js';
import type { Logger } from './platform/logger.service.js';
import { NestLogger } from './platform/logger.service.js';
import { loadMaskPatterns } from './platform/mask-patterns.loader.js';
import { createMessageMask } from './platform/message-mask.js';
import { migrate } from './platform/migrate.service.js';
import { ServiceState } from './platform/service-state.js';
import { startTracing } from './platform/start-tracing.service.js';
import { inContext } from './platform/work-context.service.js';
import { PartitionRepository } from './store/partition.repository.js';

/** What a service is started with. */
export interface CasebookOptions {
  config: Config;
  logger: Logger;
  /** Folders that belong to the program: the bundled knowledge, and the migrations of the database. */
  folders: { knowledge: string; migrations: string };
}

/** A running service. */
export interface Casebook {
  app: INestApplication;
  /** Address that it answers on, such as http://127.0.0.1:4000. */
  url: string;
  /** Stops taking requests, finishes what was begun, and closes the database. */
  stop: () => Promise<void>;
}

/** Starts the service: database, migrations, knowledge, then the doors. What was started is stopped again when a step fails. */
export async function startCasebook({ config, logger, folders }: CasebookOptions): Promise<Casebook> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let next = stops.pop(); next; next = stops.pop()) await Promise.resolve(next()).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const tracer = await startTracing(config.tracing, logger);
    // Last of all: what the others do while they stop is traced too.
    stops.push(() => tracer?.stop());
    const state = new ServiceState();
    const mask = createMessageMask({ emails: config.maskEmails, patterns: await loadMaskPatterns(config.maskPatterns) });
    const documents = { trusted: await loadTrustedDocuments(config.documents.trusted), only: config.documents.only };
    const knowledge = new KnowledgeService({ bundled: folders.knowledge, overlay: config.knowledgeDir, logger });
    stops.push(() => knowledge.stop());
    const [databaseUrl] = await bothOrNone(openDatabase(config, logger, folders.migrations, stops), knowledge.start());
    const adapter = createHttpAdapter({
      bodyLimit: config.maxBodyBytes,
      bodyLimits: { '/graphql': LIMITS.bodyBytes },
      access: { '/graphql': 'viewer' },
      logger,
      state,
      tracer,
      clientAddressOf: readClientAddress(config.trustedProxies),
    });
    const module = AppModule.register({
      config,
      logger,
      mask,
      state,
      documents,
      knowledge,
      databaseUrl,
      migrationsFolder: folders.migrations,
    });
    const app = await NestFactory.create(module, adapter, {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(logger),
    });
    const connections = new HttpConnections(app.getHttpServer() as Server);
    stops.push(() => app.close());
    await preparePartitions(app, config, logger);
    await inContext({ tracer }, () => app.init());
    await listen(adapter, config);
    stops.push(() => closeDoors(app, connections, state, config.stop, logger));
    return { app, url: addressOf(app, config.host), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDatabase(
  { databaseUrl, dataDir }: Config,
  logger: Logger,
  migrations: string,
  stops: (() => Promise<void> | void)[],
): Promise<string> {
  let url = databaseUrl;
  if (url === undefined) {
    const embedded = await EmbeddedPostgres.start({ dataDir, log: (level, message) => logger[level](message) });
    stops.push(() => embedded.stop());
    url = embedded.url;
  }
  const { applied } = await migrate(url, migrations);
  if (applied.length > 0) logger.info({ migrations: applied }, 'the database was brought to this version');
  return url;
}

/** Before the first event comes: a day whose rows lie in the rest already cannot get its own partition any more. */
async function preparePartitions(app: INestApplication, { retentionDays, changeDays }: Config, logger: Logger): Promise<void> {
  try {
    await app.get(PartitionRepository).maintain(retentionDays, null, changeDays);
  } catch (error) {
    logger.warn({ err: error }, 'partitions could not be prepared; the retention job will try again');
  }
}

/** Waits for both even when one fails, so that nothing is left starting behind our back. */
async function bothOrNone<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Nobody new is let in, and everybody who was begun with gets an answer; what the answers need runs on until then. */
async function closeDoors(
  app: INestApplication,
  connections: HttpConnections,
  state: ServiceState,
  { delay, timeout }: StopConfig,
  logger: Logger,
): Promise<void> {
  state.stopping = true;
  logger.info({ delay, timeout }, 'the service is stopping');
  if (delay > 0) await later(delay);
  const closed = connections.close(timeout);
  // Answers that never end by themselves.
  await app.get(ChangeFeed).close();
  await closed;
  logger.info('all requests are answered');
}

function addressOf(app: INestApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

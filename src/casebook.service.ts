import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import { LIMITS } from './api/graphql/limits.js';
import { ChangeFeed } from './api/live/change-feed.service.js';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { KnowledgeService } from './knowledge/knowledge.service.js';
import { EmbeddedPostgres } from './platform/embedded-postgres.service.js';
import { createHttpAdapter, listen, trackUnusedConnections } from './platform/http-adapter.service.js';
import type { Logger } from './platform/logger.service.js';
import { NestLogger } from './platform/logger.service.js';
import { loadMaskPatterns } from './platform/mask-patterns.loader.js';
import { createMessageMask } from './platform/message-mask.js';
import { migrate } from './platform/migrate.service.js';
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

/** Requests that are not finished this long after the stop began are cut off, milliseconds. */
const PATIENCE = 5_000;

/** Starts the service: database, migrations, knowledge, then the doors. What was started is stopped again when a step fails. */
export async function startCasebook({ config, logger, folders }: CasebookOptions): Promise<Casebook> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) await next();
  };
  try {
    const mask = createMessageMask({ emails: config.maskEmails, patterns: await loadMaskPatterns(config.maskPatterns) });
    const knowledge = new KnowledgeService({ bundled: folders.knowledge, overlay: config.knowledgeDir, logger });
    stops.push(() => knowledge.stop());
    const [databaseUrl] = await bothOrNone(openDatabase(config, logger, folders.migrations, stops), knowledge.start());
    const adapter = createHttpAdapter({ bodyLimit: config.maxBodyBytes, bodyLimits: { '/graphql': LIMITS.bodyBytes }, access: { '/graphql': 'viewer' }, logger });
    const module = AppModule.register({ config, logger, mask, knowledge, databaseUrl, migrationsFolder: folders.migrations });
    const app = await NestFactory.create(module, adapter, {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(logger),
    });
    const closeUnused = trackUnusedConnections(app.getHttpServer() as Server);
    stops.push(() => closeApp(app, closeUnused));
    await preparePartitions(app, config, logger);
    await app.init();
    await listen(adapter, config);
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

async function closeApp(app: INestApplication, closeUnused: () => void): Promise<void> {
  closeUnused();
  const cutOff = setTimeout(() => app.getHttpServer().closeAllConnections(), PATIENCE);
  try {
    // The HTTP server waits for every answer, and these never end by themselves.
    await app.get(ChangeFeed).close();
    await app.close();
  } finally {
    clearTimeout(cutOff);
  }
}

function addressOf(app: INestApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres.service.js';
import { migrate } from '../../src/platform/migrate.service.js';
import { isAlive, removeFolder } from '../../src/platform/postgres-process.service.js';
import { parsePostmasterFile } from '../../src/platform/postmaster-file.js';

const PREFIX = 'casebook-test-';
const TEMPLATE = 'casebook_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's PostgreSQL server, with its maintenance database `postgres`. */
    postgresUrl: string;
    /** Name of the migrated database that test files clone. */
    postgresTemplate: string;
  }
}

/** One server for the whole run, without fsync, and in it one migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(dataDir, 'owner'), String(process.pid));
  const server = await EmbeddedPostgres.start({ dataDir, durable: false });
  const url = (database: string): string => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  try {
    const admin = new pg.Client({ connectionString: url('postgres') });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await admin.end();
    await migrate(url(TEMPLATE), resolve('prisma/migrations'));
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('postgresUrl', url('postgres'));
  project.provide('postgresTemplate', TEMPLATE);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Ends the servers of runs that were killed before they could. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const owner = Number(await readFile(join(folder, 'owner'), 'utf8').catch(() => ''));
    if (!owner || isAlive(owner)) continue;
    const lock = parsePostmasterFile(await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8').catch(() => ''));
    if (lock && isAlive(lock.pid) && lock.dataDirectory.startsWith(folder)) process.kill(lock.pid, 'SIGQUIT');
    await removeFolder(folder).catch(() => undefined);
  }
}

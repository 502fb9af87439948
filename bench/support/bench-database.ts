import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres.service.js';
import { migrate } from '../../src/platform/migrate.service.js';
import { removeFolder } from '../../src/platform/postgres-process.service.js';

/** A PostgreSQL of a bench's own, migrated, with the durable settings of the service: fsync is on. */
export interface BenchDatabase {
  url: string;
  stop(): Promise<void>;
}

/** Starts the database in a folder that `stop` removes. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'casebook-bench-'));
  const server = await EmbeddedPostgres.start({ dataDir, durable: true });
  await migrate(server.url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)));
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await removeFolder(dataDir);
    },
  };
}

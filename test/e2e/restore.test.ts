import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres.service.js';
import { migrate } from '../../src/platform/migrate.service.js';
import type { Dump } from '../support/copy-database.js';
import { dumpDatabase, restoreDatabase } from '../support/copy-database.js';
import { restoreStory } from '../support/restore-story.js';
import { createTestDatabase } from '../support/test-database.js';

const run = promisify(execFile);

describe('a database that was lost goes on from its backup', () => {
  let folder: string;
  const servers: EmbeddedPostgres[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casebook-test-restore-'));
    await writeFile(join(folder, 'owner'), String(process.pid));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(dataDir: string): Promise<EmbeddedPostgres> {
    const server = await EmbeddedPostgres.start({ dataDir, durable: false });
    servers.push(server);
    return server;
  }

  it('in a new server, that has not come as far, from a dump of its rows', async () => {
    const database = await createTestDatabase();
    let dump: Dump;
    const fresh = start(folder);
    await restoreStory({
      url: database.url,
      cold: false,
      goesOn: false,
      take: async () => void (dump = await dumpDatabase(database.url)),
      putBack: async () => {
        const { url } = await fresh;
        await migrate(url, resolve('prisma/migrations'));
        await restoreDatabase(url, dump);
        return url;
      },
    });
    await database.drop();
  }, 120_000);

  it('of the embedded server, from a copy of its folder', async () => {
    const own = join(folder, 'own');
    const copy = join(folder, 'copy');
    await start(own);
    const server = servers[0]!;
    await restoreStory({
      url: server.url,
      cold: true,
      goesOn: true,
      take: async () => {
        await servers.pop()!.stop();
        await run('cp', ['-a', own, copy]);
        await start(own);
      },
      putBack: async () => {
        await servers.pop()!.stop();
        await rm(own, { recursive: true });
        await run('cp', ['-a', copy, own]);
        return (await start(own)).url;
      },
    });
  }, 120_000);
});

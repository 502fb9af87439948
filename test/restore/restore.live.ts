import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { PostgresServer, runProgram } from '../support/postgres-server.js';
import { restoreStory } from '../support/restore-story.js';

describe('a database that was lost goes on from its backup', () => {
  let folder: string;
  const servers: PostgresServer[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casebook-restore-'));
    await chmod(folder, 0o777);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(name: string): Promise<PostgresServer> {
    const server = await PostgresServer.create(join(folder, name));
    servers.push(server);
    return server.start();
  }

  it('by pg_dump and pg_restore, in a new server', async () => {
    const lost = await start('lost');
    const file = join(folder, 'casebook.dump');
    await restoreStory({
      url: lost.url,
      cold: false,
      goesOn: false,
      take: () => runProgram('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${lost.url}`]),
      putBack: async () => {
        const { url } = await start('new');
        await runProgram('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${url}`, file]);
        return url;
      },
    });
  });

  it('by pg_basebackup and the archived WAL, at a point in time', async () => {
    const lost = await start('lost');
    const copy = join(folder, 'copy');
    await restoreStory({
      url: lost.url,
      cold: false,
      goesOn: false,
      take: async () => {
        await PostgresServer.create(copy, true);
        await runProgram('pg_basebackup', [
          `--pgdata=${join(copy, 'data')}`,
          '--checkpoint=fast',
          '--wal-method=fetch',
          `--dbname=${lost.url}`,
        ]);
        await lost.query('casebook', `SELECT pg_create_restore_point('before the loss')`);
      },
      putBack: async () => {
        // All of the WAL is there, with what came after the point.
        await lost.query('casebook', 'SELECT pg_switch_wal()');
        await lost.stop();
        const server = await PostgresServer.create(copy, true);
        servers.push(server);
        await server.configure({
          archive_mode: 'off',
          restore_command: `cp ${lost.archive}/%f %p`,
          recovery_target_name: 'before the loss',
          recovery_target_action: 'promote',
        });
        await writeFile(join(server.data, 'recovery.signal'), '');
        await server.start();
        return server.url;
      },
    });
  });
});

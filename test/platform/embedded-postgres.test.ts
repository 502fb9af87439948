import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres.service.js';

describe('EmbeddedPostgres', () => {
  let dataDir: string;
  let running: EmbeddedPostgres[];

  beforeEach(async () => {
    running = [];
    dataDir = await mkdtemp(join(tmpdir(), 'casebook-test-embedded-'));
    // lets the next run clean up behind one that was killed
    await writeFile(join(dataDir, 'owner'), String(process.pid));
  });
  afterEach(async () => {
    for (const server of running) await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(): Promise<EmbeddedPostgres> {
    const server = await EmbeddedPostgres.start({ dataDir });
    running.push(server);
    return server;
  }
  async function query(server: EmbeddedPostgres, sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  it('keeps data, port and password over a restart', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await expect(query(first, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.url).toBe(first.url);
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is durable, UTF-8, in the C locale, and asks for the password that only its owner can read', async () => {
    const server = await start();
    const settings = await query(
      server,
      `SELECT current_setting('fsync') || current_setting('synchronous_commit') || current_setting('full_page_writes') AS durable,
              current_setting('server_encoding') AS encoding, (SELECT datcollate FROM pg_database WHERE datname = current_database()) AS collation`,
    );
    expect(settings).toEqual([{ durable: 'ononon', encoding: 'UTF8', collation: 'C' }]);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    const wrong = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
    await wrong.end().catch(() => undefined);
  });

  it('is shared by services that start at once on a new folder, and ends with the last one', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.pid).toBe(first.pid);
    await first.stop();
    expect(await query(second, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
    await second.stop();
    await expect(query(second, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('adopts the server of a service that was killed', async () => {
    const service = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'hold-embedded-postgres.ts'), dataDir]);
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    service.kill('SIGKILL');
    await once(service, 'exit');

    const server = await start();
    expect(server.pid).toBe(Number(line));
    expect(server.adopted).toBe(true);
    await server.stop();
    await expect(query(server, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('starts the server again on the same port when it dies, with all that was committed', async () => {
    const server = await start();
    const { url, pid } = server;
    await query(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(pid, 'SIGKILL');
    const kept = async (): Promise<void> => {
      expect(await query(server, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      // the dying server may still answer once
      expect(server.pid).not.toBe(pid);
    };
    await vi.waitFor(kept, { timeout: 20_000 });
    expect(server.url).toBe(url);
  });

  it('is not misled by a left-over lock file whose process id has come round again', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const file = join(dataDir, 'postgres/data/postmaster.pid');
    const lock = await readFile(file, 'utf8');
    await first.stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    await writeFile(file, lock.replace(/^\d+/, String(stranger.pid)));

    const second = await start();
    expect(second.pid).not.toBe(stranger.pid);
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(stranger.kill()).toBe(true);
  });

  it('moves to another port when its own is taken', async () => {
    const first = await start();
    await first.stop();
    const stranger = createServer().listen(first.port, '127.0.0.1');
    await once(stranger, 'listening');
    const second = await start();
    expect(second.port).not.toBe(first.port);
    stranger.close();
  });

  it('says what is wrong when the data are of another PostgreSQL', async () => {
    const server = await start();
    await server.stop();
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/incompatible/);
  });

  it.runIf(process.getuid?.() === 0)('runs as nobody for root, also in folders that only root may enter', async () => {
    for (const mode of [0o755, 0o700]) {
      await chmod(dataDir, mode);
      const server = await start();
      const { uid } = await stat(`/proc/${server.pid}`);
      expect(uid).not.toBe(0);
      await server.stop();
    }
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/platform/migrate.service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('migrate', () => {
  let database: TestDatabase;
  let folder: string;

  beforeEach(async () => {
    database = await createTestDatabase({ template: 'template1' });
    folder = await mkdtemp(join(tmpdir(), 'casebook-migrations-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await database.drop();
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
  const records = async () => (await database.pool.query('SELECT * FROM _prisma_migrations ORDER BY started_at')).rows;

  it('applies in the order of the names and records as Prisma does', async () => {
    await write('20260102000000_add_b', 'ALTER TABLE a ADD b int;\n');
    await write('20260101000000_create_a', 'CREATE TABLE a (id int);\nCREATE INDEX ON a (id);\n');
    expect(await migrate(database.url, folder)).toEqual({ applied: ['20260101000000_create_a', '20260102000000_add_b'] });
    const [first] = await records();
    expect(first).toMatchObject({
      migration_name: '20260101000000_create_a',
      checksum: '9eda503318c02a52535446772bcc4c5886d01f88eeff1db1cc0061833d6fec52',
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    });
    expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.finished_at).toBeInstanceOf(Date);
  });

  it('finds nothing to do the second time', async () => {
    await write('1_a', 'CREATE TABLE a (id int)');
    await migrate(database.url, folder);
    expect(await migrate(database.url, folder)).toEqual({ applied: [] });
    expect(await records()).toHaveLength(1);
  });

  it('lets processes that start at once wait for each other', async () => {
    await write('1_a', 'CREATE TABLE a (id int); SELECT pg_sleep(0.1)');
    await write('2_b', 'CREATE TABLE b (id int)');
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, folder)));
    expect(runs.map((run) => run.applied.length).sort()).toEqual([0, 0, 0, 0, 2]);
  });

  it('undoes a failed migration as a whole, keeps the earlier ones, and names file, line and reason', async () => {
    await write('1_a', 'CREATE TABLE a (id int)');
    await write('2_b', 'CREATE TABLE b (id int);\n\nALTER TABLE nowhere ADD x int;');
    await expect(migrate(database.url, folder)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringMatching(/2_b\/migration\.sql failed: .*"nowhere" does not exist/),
    });
    const { rows } = await database.pool.query(`SELECT to_regclass('a') IS NOT NULL AS a, to_regclass('b') IS NULL AS no_b`);
    expect(rows).toEqual([{ a: true, no_b: true }]);
    expect((await records())[1]).toMatchObject({
      finished_at: null,
      rolled_back_at: expect.any(Date),
      logs: expect.stringContaining('nowhere'),
    });

    await write('2_b', 'CREATE TABLE b (id int)');
    expect(await migrate(database.url, folder)).toEqual({ applied: ['2_b'] });
  });

  it('refuses a file that was edited after it had been applied, but not its other line endings', async () => {
    await write('1_a', 'CREATE TABLE a (id int);\nSELECT 1;\n');
    await migrate(database.url, folder);
    await write('1_a', 'CREATE TABLE a (id int);\r\nSELECT 1;\r\n');
    expect(await migrate(database.url, folder)).toEqual({ applied: [] });
    await write('1_a', 'CREATE TABLE a (id bigint);\nSELECT 1;\n');
    await expect(migrate(database.url, folder)).rejects.toMatchObject({
      code: 'MIGRATION_EDITED',
      message: expect.stringContaining('1_a'),
    });
  });

  it('refuses a database that has migrations this code does not know', async () => {
    await write('1_a', 'CREATE TABLE a (id int)');
    await write('2_b', 'CREATE TABLE b (id int)');
    await migrate(database.url, folder);
    await rm(join(folder, '2_b'), { recursive: true });
    await expect(migrate(database.url, folder)).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      message: expect.stringMatching(/newer than this version of Casebook: it has 2_b/),
    });
  });

  it('reports a migration that another tool left unfinished', async () => {
    await migrate(database.url, folder);
    await database.pool.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('1', 'x', '1_a', 'it broke')`);
    await expect(migrate(database.url, folder)).rejects.toMatchObject({
      code: 'MIGRATION_UNFINISHED',
      message: expect.stringContaining('it broke'),
    });
  });

  it('refuses a file that commits by itself', async () => {
    await write('1_a', 'CREATE TABLE a (id int); COMMIT;');
    await expect(migrate(database.url, folder)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringContaining('COMMIT'),
    });
  });

  it('lets others use a table while it waits for it, and goes on when it is free', async () => {
    await write('1_a', 'CREATE TABLE a (id int)');
    await migrate(database.url, folder);
    const [reader, writer] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await reader.query('BEGIN; SELECT * FROM a');
      await write('2_b', 'ALTER TABLE a ADD b int');
      const migrating = migrate(database.url, folder);
      const waits = `SELECT FROM pg_stat_activity WHERE application_name = 'casebook-migrate' AND datname = current_database() AND wait_event_type = 'Lock'`;
      const isWaiting = async (): Promise<boolean> => (await writer.query(waits)).rowCount === 1;
      await waitUntil(isWaiting, (waiting) => waiting);
      // Stands behind the migration, and gets its turn although the reader has not finished.
      await writer.query('INSERT INTO a VALUES (1)');
      await reader.query('COMMIT');
      expect(await migrating).toEqual({ applied: ['2_b'] });
      expect((await writer.query('SELECT * FROM a')).rows).toEqual([{ id: 1, b: null }]);
    } finally {
      reader.release();
      writer.release();
    }
  });

  it('is not ended by the time that the role gives a query', async () => {
    await write('1_a', 'SELECT pg_sleep(0.2); CREATE TABLE a (id int)');
    const url = new URL(database.url);
    url.searchParams.set('options', '-c statement_timeout=100');
    expect(await migrate(url.href, folder)).toEqual({ applied: ['1_a'] });
  });
});

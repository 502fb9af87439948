import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database, DatabaseUnavailableError, ReadTimeoutError } from '../../src/store/database.service.js';
import { Prisma } from '../../src/store/prisma.service.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { TestIntake } from '../support/stream.js';

const NOW = Date.parse('2026-03-05T00:00:00Z');

let database: TestDatabase;
let intake: TestIntake;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

/** Ends every session of the pool under test, as a restart of the server does. */
async function cutAll(): Promise<void> {
  await database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'casebook'`,
  );
}

describe('Database', () => {
  it('tells a lost connection as such, in the midst of a transaction, and works again', async () => {
    const cluster = await intake.cluster('cut');
    const cut = intake.repository.transaction(cluster, async (transaction) => {
      await transaction.insertSignals([{ objectKey: 'Pod/a/b', container: '', token: 'done', at: NOW }]);
      await cutAll();
      await transaction.findAffected(['Pod/a/b']);
    });
    await expect(cut).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await intake.database.rows('SELECT 1 FROM signal')).toEqual([]);
    expect(await intake.push(cluster, sampleDeliveries(3), NOW)).toHaveLength(3);
  });

  it('survives the loss of idle connections', async () => {
    await Promise.all([1, 2, 3].map(() => intake.database.rows('SELECT pg_sleep(0.01)')));
    await cutAll();
    await expect.poll(() => intake.database.rows<{ one: number }>('SELECT 1 AS one').catch(() => [])).toEqual([{ one: 1 }]);
  });

  it('tells a server that is not there', async () => {
    const nowhere = new Database({ url: 'postgresql://nobody:nothing@127.0.0.1:9/none', pool: 1 });
    await expect(nowhere.rows('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(nowhere.transaction(() => Promise.resolve())).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    await nowhere.onApplicationShutdown();
  });

  it('takes a server that became read-only, as a primary does that lost its place, for one that is away for a while', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const standby = new Database({ url: database.url, pool: 1 });
    const prisma = new Prisma(standby);
    const remove = { where: { name: 'nothing' } };
    await database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    try {
      await expect(prisma.run((client) => client.cluster.deleteMany(remove))).rejects.toBeInstanceOf(DatabaseUnavailableError);
      await expect(standby.rows('DELETE FROM cluster')).rejects.toBeInstanceOf(DatabaseUnavailableError);
      const work = standby.transaction((connection) => connection.query('DELETE FROM cluster'));
      await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    } finally {
      await database.pool.query('SET default_transaction_read_only = off');
      await database.pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    }
    // The connection was not kept: the next one may lead to the new primary.
    await expect(standby.rows('DELETE FROM signal')).resolves.toEqual([]);
    await prisma.onApplicationShutdown();
    await standby.onApplicationShutdown();
  });

  it('ends what callers read when it takes too long, and nothing else', async () => {
    const limited = new Database({ url: database.url, pool: 1, reads: { pool: 1, timeout: 100 } });
    const long = `SELECT pg_sleep(0.5) IS NOT NULL AS slept`;
    await expect(limited.reads.rows(long)).rejects.toBeInstanceOf(ReadTimeoutError);
    const slept = [{ slept: true }];
    await expect(limited.reads.patient.rows(long)).resolves.toEqual(slept);
    await expect(limited.rows(long)).resolves.toEqual(slept);
    // The connection that an export had is under the limit again.
    await expect(limited.reads.rows('SELECT pg_sleep(60)')).rejects.toBeInstanceOf(ReadTimeoutError);
    await expect(limited.reads.rows('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: '42P01' });
    await expect(limited.reads.patient.rows('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: '42P01' });
    await expect(limited.reads.rows('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await limited.onApplicationShutdown();
  });

  it('gives what callers read memory for long sums, and no less than the server would', async () => {
    const limited = new Database({ url: database.url, pool: 1, reads: { pool: 1, timeout: 1000 } });
    const name = new URL(database.url).pathname.slice(1);
    const given = `SELECT current_setting('work_mem') AS memory, current_setting('jit') AS jit`;
    expect(await limited.reads.rows(given)).toEqual([{ memory: '16MB', jit: 'off' }]);
    await limited.onApplicationShutdown();
    await database.pool.query(`ALTER DATABASE ${name} SET work_mem = '48MB'`);
    const generous = new Database({ url: database.url, pool: 1, reads: { pool: 1, timeout: 1000 } });
    expect(await generous.reads.rows(given)).toEqual([{ memory: '48MB', jit: 'off' }]);
    await database.pool.query(`ALTER DATABASE ${name} RESET work_mem`);
    await generous.onApplicationShutdown();
  });

  it('does not take a mistake of ours for a lost connection', async () => {
    await expect(intake.database.rows('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: '42P01' });
  });
});

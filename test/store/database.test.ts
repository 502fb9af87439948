import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database, DatabaseUnavailableError } from '../../src/store/database.service.js';
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

  it('does not take a mistake of ours for a lost connection', async () => {
    await expect(intake.database.rows('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: '42P01' });
  });
});

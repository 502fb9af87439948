import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash } from '../support/core-event.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

const READS = 2;

let casebook: TestCasebook;

beforeAll(async () => {
  // Of five connections two are for reading.
  casebook = await startTestCasebook({ CASEBOOK_DATABASE_POOL: '5', CASEBOOK_READ_TIMEOUT_MS: '600000' });
  await casebook.register('shop');
});
afterAll(() => casebook.stop());

/** Sessions of the service that wait for the lock of the test. */
async function waiting({ database } = casebook): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'casebook' AND wait_event_type = 'Lock'`,
  );
  return rows.map(({ pid }) => pid);
}

async function beatAt(): Promise<number> {
  const { rows } = await casebook.database.pool.query<{ at: Date }>('SELECT max(expires_at) AS at FROM watch_replica');
  return rows[0]!.at.getTime();
}

describe('questions that take the database long', () => {
  it('keep neither intake nor leases nor readiness waiting, and end with a word of their own', async () => {
    const holder = await casebook.database.pool.connect();
    const open: Promise<unknown>[] = [];
    try {
      await holder.query('BEGIN; LOCK TABLE rejected_input IN ACCESS EXCLUSIVE MODE');
      const aliases = Array.from({ length: 20 }, (_unused, i) => `a${i}: rejected(cluster: "shop") { totalCount }`).join(' ');
      const overGraphql = casebook.graphql(`{ ${aliases} }`);
      open.push(overGraphql);
      await waitUntil(
        () => waiting(),
        (pids) => pids.length === READS,
      );
      // What comes now finds no connection for reading.
      const overRest: Promise<Answer>[] = Array.from({ length: 10 }, () => casebook.send('GET', '/v1/clusters/shop/rejected'));
      open.push(...overRest);

      expect((await casebook.post('shop', [crash()])).body).toMatchObject({ accepted: 1 });
      expect((await casebook.send('GET', '/readyz')).status).toBe(200);
      const before = await beatAt();
      await waitUntil(beatAt, (at) => at > before);
      expect(await waiting()).toHaveLength(READS);

      // The timeout of a statement ends it as this does.
      for (const pid of await waiting()) await casebook.database.pool.query('SELECT pg_cancel_backend($1)', [pid]);
      await holder.query('ROLLBACK');
      const { data, errors } = await overGraphql;
      expect([...new Set(errors!.map(({ extensions }) => extensions.code))]).toEqual(['TIMEOUT']);
      expect(errors![0]!.message).toBe('It takes too long to answer this; ask for less: a shorter time, a narrower filter.');
      expect(data).toBeNull();
      for (const { status } of await Promise.all(overRest)) expect(status).toBe(200);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
      await Promise.allSettled(open);
    }
  });

  it('are told 504 over REST', async () => {
    const holder = await casebook.database.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE rejected_input IN ACCESS EXCLUSIVE MODE');
      const asked = casebook.send('GET', '/v1/clusters/shop/rejected');
      const [pid] = await waitUntil(
        () => waiting(),
        (pids) => pids.length === 1,
      );
      await casebook.database.pool.query('SELECT pg_cancel_backend($1)', [pid]);
      expect(await asked).toMatchObject({
        status: 504,
        body: { error: { code: 'TIMEOUT', message: expect.stringContaining('ask for less') as string } },
      });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });
});

describe('a caller who asks for much at once', () => {
  it('leaves a connection to the others', async () => {
    const guarded = await startTestCasebook({
      CASEBOOK_AUTH: 'required',
      CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
      CASEBOOK_DATABASE_POOL: '8',
      CASEBOOK_READ_TIMEOUT_MS: '600000',
    });
    const open: Promise<Answer>[] = [];
    const holder = await guarded.database.pool.connect();
    try {
      await guarded.register('shop');
      const made = await guarded.graphql('mutation { createApiToken(input: { name: "portal", role: VIEWER }) { token } }');
      const token = made.data['createApiToken'].token as string;
      await holder.query('BEGIN; LOCK TABLE rejected_input IN ACCESS EXCLUSIVE MODE');
      // Of eight connections three are for reading.
      const rejected = (): Promise<Answer> => guarded.send('GET', '/v1/clusters/shop/rejected', { token: ADMIN_TOKEN });
      open.push(...Array.from({ length: 6 }, rejected));
      await waitUntil(
        () => waiting(guarded),
        (pids) => pids.length === 2,
      );
      const others = await guarded.send('POST', '/graphql', {
        body: { query: '{ incidents { totalCount } }' },
        headers: { 'content-type': 'application/json' },
        token,
      });
      expect(others.body).toMatchObject({ data: { incidents: { totalCount: 0 } } });
      const told = (): Promise<Answer> => guarded.send('GET', '/metrics', { token: ADMIN_TOKEN });
      await waitUntil(told, ({ body }) => String(body).includes('casebook_database_waiting{pool="reads"} 4\n'));
      expect(await waiting(guarded)).toHaveLength(2);
      await holder.query('ROLLBACK');
      for (const { status } of await Promise.all(open)) expect(status).toBe(200);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
      await Promise.allSettled(open);
      await guarded.stop();
    }
  });
});

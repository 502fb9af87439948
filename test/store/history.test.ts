import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/incidents/delivery.js';
import { applyBatch } from '../../src/pipeline/apply-batch.js';
import type { Database } from '../../src/store/database.service.js';
import { IntakeRepository } from '../../src/store/intake.repository.js';
import type { Connection } from '../../src/store/rows.js';
import { rows } from '../../src/store/rows.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { TestIntake } from '../support/stream.js';

const SECOND = 1_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ROWS = 20_000;
const END = START + ROWS * SECOND;

let database: TestDatabase;
let intake: TestIntake;
let cluster: number;

/** One Pod with a long history, and one Deployment that has gone through many Pods. */
beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  cluster = await intake.cluster('old');
  await intake.push(cluster, [failure('first', 'old-pod', START), failure('second', 'web-6f9c7d8b5-x2x9z', END)], END);
  await database.pool.query(
    `INSERT INTO sighting SELECT to_timestamp($1::float8 / 1000) + g * interval '1 second', cluster_id, 'u' || g, 1, id, 1, to_timestamp($1::float8 / 1000) + g * interval '1 second'
     FROM affected, generate_series(1, $2) g WHERE name = 'old-pod'`,
    [START, ROWS],
  );
  await database.pool.query(
    `INSERT INTO signal SELECT to_timestamp($1::float8 / 1000) + g * interval '1 second', $2, 'Pod/team/old-pod', '', 'other' FROM generate_series(1, $3) g`,
    [START, cluster, ROWS],
  );
  await database.pool.query(`UPDATE affected SET last_at = to_timestamp($1::float8 / 1000) WHERE name = 'old-pod'`, [END]);
  await database.pool.query(
    `INSERT INTO affected (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects, settle_ms,
       occurrences, first_at, started_at, last_at, ended_at, resolution)
     SELECT cluster_id, incident_id, object_key || g, container, problem_id, kind, namespace, name || g, subject_kind, subject_rank, expects, settle_ms,
       1, t, t, t, t + interval '1 second', 'SUCCESS_EVENT'
     FROM affected, LATERAL (SELECT g, to_timestamp($1::float8 / 1000) - g * interval '1 minute' AS t FROM generate_series(1, $2) g) s WHERE name LIKE 'web-%'`,
    [END, ROWS],
  );
  await database.pool.query('ANALYZE');
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

function failure(uid: string, name: string, at: number): Delivery {
  const [sample] = sampleDeliveries(50).filter(({ sighted }) => sighted?.ending.quiet === null);
  const { event, sighted } = sample!;
  return {
    event: { ...event, uid, firstAt: at, lastAt: at, object: { ...event.object, namespace: 'team', name } },
    signals: [],
    sighted: sighted!,
  };
}

/** How many rows of history the database looks at for one batch. */
async function rowsRead(deliveries: readonly Delivery[]): Promise<number> {
  let read = 0;
  const counting = {
    transaction: <T>(work: (connection: Connection) => Promise<T>) =>
      intake.database.transaction(async (connection) => {
        const before = await rowsReadBy(connection);
        const result = await work(connection);
        read = (await rowsReadBy(connection)) - before;
        return result;
      }),
  };
  await new IntakeRepository(counting as Database).transaction(cluster, (transaction) => applyBatch(transaction, deliveries, END));
  return read;
}

async function rowsReadBy(connection: Connection): Promise<number> {
  const [row] = await rows<{ read: number }>(
    connection,
    `SELECT sum(COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_xact_user_tables
     WHERE relname ~ '^(sighting|signal|affected|episode|event)'`,
  );
  return row!.read;
}

describe('a batch about what has a long history', () => {
  it('reads little of it when it comes in order', async () => {
    expect(await rowsRead([failure('next', 'old-pod', END + SECOND)])).toBeLessThan(50);
  });

  it('reads little of it when it comes late: a failure, an ending, a count that lies before known ones', async () => {
    expect(await rowsRead([failure('late', 'old-pod', END - 5 * SECOND + 1)])).toBeLessThan(100);
    const { event } = failure('done', 'old-pod', END - 3 * SECOND + 1);
    expect(
      await rowsRead([{ event, signals: [{ objectKey: 'Pod/team/old-pod', container: '', token: 'done', at: event.lastAt }] }]),
    ).toBeLessThan(100);
    const counted = (count: number, at: number): Delivery => {
      const { event: plain, ...rest } = failure('counted', 'old-pod', at);
      return { ...rest, event: { ...plain, count } };
    };
    await rowsRead([counted(9, END + 9 * SECOND)]);
    expect(await rowsRead([counted(4, END + 4 * SECOND)])).toBeLessThan(100);
  });

  it('reads little of it when a workload with many former Pods fails again, and when many new workloads do', async () => {
    expect(await rowsRead([failure('pod', 'web-6f9c7d8b5-bbbbb', END + SECOND)])).toBeLessThan(50);
    const many = Array.from({ length: 100 }, (_, i) => failure(`new-${i}`, `new-${i}`, END + SECOND));
    expect(await rowsRead(many)).toBeLessThan(2000);
  });
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangePosition } from '../../src/store/change-position.js';
import { comparePositions } from '../../src/store/change-position.js';
import { IncidentChangeRepository } from '../../src/store/incident-change.repository.js';
import { PartitionRepository } from '../../src/store/partition.repository.js';
import { noteIncidentChanges } from '../../src/store/statements/note-incident-changes.js';
import { Story, bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const CRASH = { reason: 'BackOff', message: 'Back-off restarting failed container app in pod web', container: 'app' };

let database: TestDatabase;
let intake: TestIntake;
let changes: IncidentChangeRepository;
let story: Story;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  changes = new IncidentChangeRepository(intake.database);
  story = new Story(intake, await bundledRecogniser());
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

/** Position after all changes so far. */
async function positionOfNow(): Promise<ChangePosition> {
  return (await readFrom({ xid: '0', seq: '0' })).end;
}

/** Waits until no transaction of the database holds changes back, and returns those after a position. */
async function readFrom(position: ChangePosition): Promise<{ told: string[]; end: ChangePosition }> {
  for (const deadline = performance.now() + 20_000; ; await intake.database.rows('SELECT pg_sleep(0.01)')) {
    const batch = await changes.changesAfter(position, 1000);
    if (batch.waiting && performance.now() < deadline) continue;
    expect(batch.waiting).toBe(false);
    return { told: batch.changes.map(({ kind, statusBefore, status }) => `${kind} ${statusBefore} > ${status}`), end: batch.end };
  }
}

async function openConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

describe('changes of incidents', () => {
  it('tell the life of an incident, each step once', async () => {
    const start = await positionOfNow();
    await story.push('10:00', CRASH);
    await story.by('12:00');
    await story.push('13:00', CRASH);
    await intake.database.rows(`UPDATE incident SET status = 'acknowledged' WHERE status = 'open'`);
    await intake.database.rows(`UPDATE incident SET severity = 'critical'`);
    const life = await readFrom(start);
    expect(life.told).toEqual([
      'OPENED null > open',
      'RESOLVED open > resolved',
      'REOPENED resolved > open',
      'ACKNOWLEDGED open > acknowledged',
      'UPDATED acknowledged > acknowledged',
    ]);
    expect((await readFrom(life.end)).told).toEqual([]);
    await intake.database.transaction(async (connection) => {
      const { rows } = await connection.query<{ id: string }>('SELECT id FROM incident');
      await noteIncidentChanges(connection, [{ incidentId: rows[0]!.id, kind: 'COMMENTED' }]);
    });
    expect((await readFrom(life.end)).told).toEqual(['COMMENTED acknowledged > acknowledged']);
  });

  it('tell of growth once, however many batches brought it', async () => {
    await story.push('13:05', CRASH);
    await changes.tellGrowth();
    const start = await positionOfNow();
    for (let minute = 10; minute < 20; minute++) await story.push(`13:${minute}`, CRASH);
    expect((await readFrom(start)).told).toEqual([]);
    expect(await changes.tellGrowth()).toBe(1);
    expect(await changes.tellGrowth()).toBe(0);
    expect((await readFrom(start)).told).toEqual(['UPDATED acknowledged > acknowledged']);
  });

  it('tell of what was written while growth was being told', async () => {
    const cluster = await story.cluster();
    await story.push('13:30', CRASH);
    const writer = await openConnection();
    await writer.query('BEGIN');
    await writer.query('SELECT 1 FROM cluster WHERE id = $1 FOR NO KEY UPDATE', [cluster]);
    // finds the incident noted already
    await writer.query('UPDATE incident SET occurrences = occurrences + 1');
    let told: number | undefined;
    const telling = changes.tellGrowth().then((count) => (told = count));
    const waiting = async (): Promise<boolean> => {
      const find = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await writer.query(find)).rows.length > 0;
    };
    // It waits for the writer: what it tells of later is what the writer committed.
    while (!(await waiting()) && told === undefined);
    expect(told).toBeUndefined();
    await writer.query('COMMIT');
    await telling;
    await writer.end();
    expect(told).toBe(1);
  });

  it('leave no gap when a transaction that took its number first commits last', async () => {
    const start = await positionOfNow();
    const [slow, quick] = [await openConnection(), await openConnection()];
    const insert = `INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status, severity)
      VALUES (gen_random_uuid(), 0, 'p', '', $1, 'open', 'error')`;
    try {
      await slow.query('BEGIN');
      await slow.query(insert, ['SLOW']);
      await quick.query(insert, ['QUICK']);
      // QUICK is committed, but a change with a lower number may still come.
      const between = await changes.changesAfter(start, 10);
      expect(between).toMatchObject({ changes: [], waiting: true });
      await slow.query(insert, ['SLOW, later']);
      await slow.query('COMMIT');
      const { told } = await readFrom(between.end);
      expect(told).toEqual(['SLOW null > open', 'SLOW, later null > open', 'QUICK null > open']);
    } finally {
      await Promise.all([slow.end(), quick.end()]);
    }
  });

  it('do not wait for what is written in another database of the server', async () => {
    const other = await createTestDatabase();
    const foreign = await other.pool.connect();
    try {
      await foreign.query('BEGIN');
      const { rows } = await foreign.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
      const start = await positionOfNow();
      await intake.database.rows(`UPDATE incident SET severity = 'info'`);
      expect((await readFrom(start)).told).toEqual([expect.stringMatching(/^UPDATED /)]);
      expect(comparePositions(await changes.latestPosition(), { xid: rows[0]!.xid, seq: '0' })).toBeGreaterThan(0);
    } finally {
      await foreign.query('ROLLBACK');
      foreign.release();
      await other.drop();
    }
  });

  it('are read in parts without gap or repeat while four writers write', async () => {
    const start = await positionOfNow();
    const writers = await Promise.all([1, 2, 3, 4].map(openConnection));
    const insert = `INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status, severity)
      VALUES (gen_random_uuid(), 0, 'p', '', $1, 'open', 'error')`;
    const writing = Promise.all(
      writers.map(async (writer, w) => {
        for (let i = 0; i < 50; i++) {
          await writer.query('BEGIN');
          await writer.query(insert, [`${w}.${i}.a`]);
          await writer.query(insert, [`${w}.${i}.b`]);
          await writer.query(i % 10 === 9 ? 'ROLLBACK' : 'COMMIT');
        }
      }),
    );
    const seen: string[] = [];
    const positions: ChangePosition[] = [];
    let position = start;
    let written = false;
    void writing.then(() => (written = true));
    for (;;) {
      const last = written;
      const batch = await changes.changesAfter(position, 7);
      seen.push(...batch.changes.map(({ kind }) => kind));
      positions.push(...batch.changes.map((change) => change.position));
      position = batch.end;
      if (last && !batch.more && !batch.waiting) break;
    }
    await Promise.all(writers.map((writer) => writer.end()));
    const expected = [0, 1, 2, 3].flatMap((w) =>
      Array.from({ length: 50 }, (_, i) => i)
        .filter((i) => i % 10 !== 9)
        .flatMap((i) => [`${w}.${i}.a`, `${w}.${i}.b`]),
    );
    expect(seen.toSorted()).toEqual(expected.toSorted());
    expect(positions).toEqual(positions.toSorted(comparePositions));
  });

  it('of one cluster are in the order of their commits: a writer that waits for it has no number yet', async () => {
    const cluster = await story.cluster();
    const holder = await openConnection();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM cluster WHERE id = $1 FOR NO KEY UPDATE', [cluster]);
    const waiting = intake.push(cluster, [], Date.parse('2026-03-02T14:00:00Z'));
    const find = `SELECT backend_xid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let found: { backend_xid: string | null }[] = [];
    for (const deadline = performance.now() + 10_000; found.length === 0 && performance.now() < deadline;) {
      found = (await holder.query<{ backend_xid: string | null }>(find)).rows;
    }
    await holder.query('COMMIT');
    await waiting;
    await holder.end();
    expect(found).toEqual([{ backend_xid: null }]);
  });

  it('are dropped by the day, and who comes from before is told so', async () => {
    const start = await positionOfNow();
    await story.push('15:00', { ...CRASH, name: 'other-6f9c7d8b5-x2x9z' });
    const { told, end } = await readFrom(start);
    expect(told).toEqual(['OPENED null > open']);
    const partitions = new PartitionRepository(intake.database);
    const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
    await partitions.maintain(90, inDays(3), 7);
    expect((await readFrom(start)).told).toEqual(told);
    await partitions.maintain(90, inDays(9), 7);
    await expect(changes.changesAfter(start, 10)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
    expect((await readFrom(end)).told).toEqual([]);
  });

  it('that came with a dump of a server that had come further stop nobody', async () => {
    await intake.database.rows(`INSERT INTO incident_change_dropped (xid, seq) VALUES ('9000000000', 1)
      ON CONFLICT (singleton) DO UPDATE SET xid = EXCLUDED.xid, seq = EXCLUDED.seq`);
    await intake.database
      .rows(`INSERT INTO incident_change (xid, at, incident_id, cluster_id, problem_id, namespace, kind, status, severity)
      VALUES ('9000000001', now() - interval '30 days', gen_random_uuid(), 0, 'p', '', 'FOREIGN', 'open', 'error')`);
    const start = await positionOfNow();
    await story.push('16:00', { ...CRASH, name: 'restored-6f9c7d8b5-x2x9z' });
    const { told } = await readFrom(start);
    expect(told).toEqual(['OPENED null > open']);
    // What is dropped here is noted all the same.
    const inDays = new Date(Date.now() + 12 * 86_400_000);
    await new PartitionRepository(intake.database).maintain(90, inDays, 7);
    await expect(changes.changesAfter(start, 10)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  });

  it('of another database, which has come further, are not taken for ours', async () => {
    await expect(changes.changesAfter({ xid: '18446744073709551615', seq: '1' }, 10)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  });
});

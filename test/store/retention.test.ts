import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/incidents/delivery.js';
import { objectKey } from '../../src/incidents/object-key.js';
import { PartitionRepository } from '../../src/store/partition.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { TestIntake } from '../support/stream.js';

let database: TestDatabase;
let intake: TestIntake;
let partitions: PartitionRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  partitions = new PartitionRepository(intake.database);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

async function rawRows(): Promise<Record<string, number>> {
  const [row] = await intake.database.rows<Record<string, number>>(
    `SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM sighting)::int AS sightings, (SELECT count(*) FROM signal)::int AS signals,
       (SELECT count(*) FROM event_key)::int AS keys`,
  );
  return row!;
}

describe('retention', () => {
  it('keeps raw data in partitions of a day, drops old ones whole, and leaves incidents and roll-ups', async () => {
    await partitions.maintain(90, new Date('2026-03-01T00:30:00Z'));
    const cluster = await intake.cluster('kept');
    await intake.push(cluster, sampleDeliveries(300), Date.parse('2026-03-03T00:00:00Z'));
    const [other] = await intake.database.rows<{ count: number }>('SELECT count(*)::int AS count FROM event_other');
    expect(other).toEqual({ count: 0 });
    const before = { incidents: await intake.state(cluster), rollups: await intake.rollups(cluster) };
    expect(before.incidents.length).toBeGreaterThan(10);

    const dropped = await partitions.maintain(90, new Date('2026-07-01T00:30:00Z'));
    expect(dropped?.dropped).toContain('event_20260301');
    expect(await rawRows()).toEqual({ events: 0, sightings: 0, signals: 0, keys: 0 });
    const after = { incidents: await intake.state(cluster), rollups: await intake.rollups(cluster) };
    expect(after.rollups).toEqual(before.rollups);
    expect(after.incidents.map((incident) => ({ ...incident, events: [] }))).toEqual(
      before.incidents.map((incident) => ({ ...incident, events: [] })),
    );
  });

  it('takes events of days without a partition and lets go of them row by row', async () => {
    const cluster = await intake.cluster('other');
    await intake.push(cluster, sampleDeliveries(50), Date.parse('2026-03-03T00:00:00Z'));
    expect((await rawRows()).events).toBeGreaterThan(0);
    const result = await partitions.maintain(30, new Date('2026-07-02T00:00:00Z'));
    expect(result?.deleted).toBeGreaterThan(0);
    expect(await rawRows()).toEqual({ events: 0, sightings: 0, signals: 0, keys: 0 });
  });

  it('is left to the process that is at it already', async () => {
    await intake.database.session(async (connection) => {
      await connection.query('SELECT pg_advisory_lock(7061964)');
      expect(await partitions.maintain(90, new Date('2026-08-01T00:00:00Z'))).toBeUndefined();
      await connection.query('SELECT pg_advisory_unlock(7061964)');
    });
    await partitions.maintain(90, new Date('2026-08-01T00:00:00Z'));
    expect(await partitions.maintain(90, new Date('2026-08-01T00:00:00Z'))).toMatchObject({ created: [] });
  });

  describe('and what comes after it', () => {
    const DAY = 86_400_000;
    const MINUTE = 60_000;
    const START = Date.parse('2026-03-01T10:30:00Z');
    const LATER = START + 100 * DAY;

    const [sample] = sampleDeliveries(50).filter(({ sighted }) => sighted?.ending.quiet === null);
    const failed = (uid: string, count: number, firstAt: number, lastAt: number): Delivery => ({
      ...sample!,
      event: { ...sample!.event, uid, count, firstAt, lastAt },
    });
    const ended = (at: number): Delivery => ({
      event: { ...sample!.event, uid: `end-${at}`, firstAt: at, lastAt: at },
      signals: [{ objectKey: objectKey(sample!.event), container: '', token: 'done', at }],
    });

    it('leaves old episodes as they were when an Event tells of a beginning older than they are', async () => {
      const cluster = await intake.cluster('episodes');
      for (const at of [START, START + DAY, START + 2 * DAY])
        await intake.push(cluster, [failed(`at-${at}`, 1, at, at), ended(at + MINUTE)], at + MINUTE);
      await partitions.maintain(90, new Date(LATER));
      await intake.push(cluster, [failed('long', 500, START - DAY, LATER)], LATER);
      const [incident] = await intake.state(cluster);
      expect(incident!.episodes.map(({ start, end }) => [start, end])).toEqual([
        [START - DAY, START + MINUTE],
        [START + DAY, START + DAY + MINUTE],
        [START + 2 * DAY, START + 2 * DAY + MINUTE],
        [LATER, null],
      ]);
    });

    it('counts nothing twice and moves no count when an old delivery is told again or late', async () => {
      const cluster = await intake.cluster('counts');
      await intake.push(cluster, [failed('long', 8, START, START + MINUTE)], START + MINUTE);
      await intake.push(cluster, [failed('long', 10, START, LATER), failed('old', 8, START, START + MINUTE)], LATER);
      const before = await intake.rollups(cluster);
      await partitions.maintain(90, new Date(LATER));
      for (const count of [3, 4, 8])
        await intake.push(cluster, [failed('long', count, START, START + count), failed('old', count, START, START + count)], LATER);
      await intake.push(cluster, [failed('old', 8, START, START + MINUTE)], LATER);
      expect(await intake.state(cluster)).toMatchObject([{ occurrences: 18 }]);
      expect(await intake.rollups(cluster)).toEqual(before);
    });

    it('keeps an Event that outlives its partition among the events of its incident', async () => {
      const cluster = await intake.cluster('outlives');
      for (const day of [0, 40, 80]) {
        await intake.push(cluster, [failed('long', 1 + day, START, START + day * DAY)], START + day * DAY);
        await partitions.maintain(30, new Date(START + day * DAY));
      }
      expect(await intake.state(cluster)).toMatchObject([{ events: [{ uid: 'long', count: 81 }] }]);
    });
  });

  it('lets intake go on when a long reader keeps it from its tables', async () => {
    const cluster = await intake.cluster('reader');
    await intake.database.transaction(async (reader) => {
      await reader.query('SELECT count(*) FROM event');
      const maintained = partitions.maintain(90, new Date('2026-12-01T00:00:00Z')).catch((error: { code?: string }) => error.code);
      await expect
        .poll(() => intake.database.rows(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
        .toHaveLength(1);
      expect(await intake.push(cluster, sampleDeliveries(1), Date.parse('2026-03-03T00:00:00Z'))).toEqual([true]);
      expect(await maintained).toBe('55P03');
    });
    expect((await partitions.maintain(90, new Date('2026-12-01T00:00:00Z')))?.created.length).toBeGreaterThan(0);
    expect(await intake.database.rows('SHOW lock_timeout')).toEqual([{ lock_timeout: '0' }]);
  });
});

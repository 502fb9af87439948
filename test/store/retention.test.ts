import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect(after.incidents.map((incident) => ({ ...incident, events: [] }))).toEqual(before.incidents.map((incident) => ({ ...incident, events: [] })));
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
});

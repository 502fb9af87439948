import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/incidents/delivery.js';
import { objectKey } from '../../src/incidents/object-key.js';
import { ForgettingService } from '../../src/pipeline/forgetting.service.js';
import type { KeptDays } from '../../src/pipeline/forgetting.service.js';
import { ForgettingRepository } from '../../src/store/forgetting.repository.js';
import { PartitionRepository } from '../../src/store/partition.repository.js';
import { TrendRepository } from '../../src/store/trend.repository.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import { sampleDeliveries, seededRandom } from '../support/sample-deliveries.js';
import type { IncidentState } from '../support/stream.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The samples lie in the first days of it. */
const START = Date.parse('2026-03-01T10:00:00Z');
/** Rows are written with the day of the database's clock, so that what is old has to be older than that too. */
const LATER = Math.floor(Date.now() / DAY) * DAY + 600 * DAY;
const NOTHING: KeptDays = { quarters: Infinity, hours: Infinity, affected: Infinity, incidents: Infinity };

let database: TestDatabase;
let intake: TestIntake;
let repository: ForgettingRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  repository = new ForgettingRepository(intake.database);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

/** Raw data goes first, as in the job. */
async function forget(kept: Partial<KeptDays>, now = LATER): Promise<number> {
  await new PartitionRepository(intake.database).maintain(90, new Date(now));
  return new ForgettingService(repository, { ...NOTHING, ...kept }).run(now);
}

/** Forgets the objects of one cluster only. */
async function forgetObjectsOf(cluster: number, before: number): Promise<void> {
  const cutoffs = { quarters: undefined, hours: undefined, incidents: undefined, affected: new Date(before).toISOString() };
  while ((await repository.step(cluster, cutoffs, 20)) > 0);
}

const rowsOf = async (table: string, cluster: number): Promise<number> =>
  (await intake.database.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE cluster_id = $1`, cluster))[0]!.n;

/** What is counted and told of incidents, without the list of objects and events. */
const told = (incidents: readonly IncidentState[]): unknown[] => incidents.map((incident) => ({ ...incident, objects: [], events: [] }));

const [sample] = sampleDeliveries(50).filter(({ sighted }) => sighted?.ending.quiet === null);
const failed = (name: string, uid: string, firstAt: number, lastAt = firstAt, count = 1, container = ''): Delivery => ({
  ...sample!,
  sighted: { ...sample!.sighted!, container },
  event: { ...sample!.event, object: { ...sample!.event.object, name }, uid, count, firstAt, lastAt },
});
const ended = (name: string, at: number, container = ''): Delivery => {
  const { event } = failed(name, `end-${name}-${container}-${at}`, at);
  return { event, signals: [{ objectKey: objectKey(event), container, token: 'done', at }] };
};
const POD = (suffix: string): string => `cron-6f9c7d8b5-${suffix}`;

describe('forgetting objects', () => {
  it('takes those that ended long ago, keeps the open ones, and changes nothing that is counted or told', async () => {
    const cluster = await intake.cluster('forgets');
    await intake.push(cluster, sampleDeliveries(400), START + 3 * DAY);
    await intake.settle(cluster, LATER);
    const before = {
      incidents: await intake.state(cluster),
      rollups: await intake.rollups(cluster),
      rows: await rowsOf('affected', cluster),
    };
    expect(before.incidents.some(({ open }) => open > 0)).toBe(true);

    expect(await forget({ affected: 400 })).toBeGreaterThan(50);
    const after = {
      incidents: await intake.state(cluster),
      rollups: await intake.rollups(cluster),
      rows: await rowsOf('affected', cluster),
    };
    expect(told(after.incidents)).toEqual(told(before.incidents));
    expect(after.rollups).toEqual(before.rollups);
    expect(after.rows).toBe(before.incidents.reduce((sum, { open }) => sum + open, 0));
    expect(after.rows).toBeLessThan(before.rows);
    const [sums] = await intake.database.rows(
      `SELECT sum(forgotten_count)::int AS forgotten, sum(affected_count)::int AS affected FROM incident WHERE cluster_id = $1`,
      cluster,
    );
    expect(sums).toEqual({ forgotten: before.rows - after.rows, affected: before.rows });
    expect(
      await intake.database.rows('SELECT 1 FROM affected_interval v WHERE NOT EXISTS (SELECT FROM affected a WHERE a.id = v.affected_id)'),
    ).toEqual([]);
    expect(await forget({ affected: 400 })).toBe(0);
  });

  it('leaves those that were heard of lately, however long ago it happened', async () => {
    const cluster = await intake.cluster('heard');
    await intake.push(cluster, [failed(POD('bbbbb'), 'a', START), ended(POD('bbbbb'), START + MINUTE)], Date.now());
    // 390 days later it is not 400 days since it was heard.
    await forget({ affected: 400 }, Math.floor(Date.now() / DAY) * DAY + 390 * DAY);
    expect(await rowsOf('affected', cluster)).toBe(1);
    await forget({ affected: 400 });
    expect(await rowsOf('affected', cluster)).toBe(0);
  });

  it('counts an object as forgotten with the last of its containers, once', async () => {
    const cluster = await intake.cluster('containers');
    const pod = POD('ggggg');
    for (const container of ['a', 'b', 'c']) await intake.push(cluster, [failed(pod, container, START, START, 1, container)], START);
    const counts = async (): Promise<unknown[]> => [
      await rowsOf('affected', cluster),
      ...(await intake.database.rows<{ n: number[] }>(
        'SELECT ARRAY[affected_count, forgotten_count] AS n FROM incident WHERE cluster_id = $1',
        cluster,
      )),
    ];
    await intake.push(cluster, [ended(pod, START + DAY, 'a'), ended(pod, START + DAY, 'b')], START + DAY);
    await forget({ affected: 400 });
    expect(await counts()).toEqual([1, { n: [1, 0] }]);
    await intake.push(cluster, [ended(pod, START + 2 * DAY, 'c')], START + 2 * DAY);
    await forget({ affected: 400 });
    expect(await counts()).toEqual([0, { n: [1, 1] }]);
  });

  describe('and what comes after it', () => {
    async function forgotten(name: string): Promise<{ cluster: number; before: IncidentState }> {
      const cluster = await intake.cluster(name);
      for (const day of [0, 10, 20]) {
        const at = START + day * DAY;
        await intake.push(cluster, [failed(POD('bbbbb'), `b-${day}`, at), ended(POD('bbbbb'), at + MINUTE)], at + MINUTE);
        await intake.push(
          cluster,
          [failed(POD('ccccc'), `c-${day}`, at + 5 * MINUTE), ended(POD('ccccc'), at + 6 * MINUTE)],
          at + 6 * MINUTE,
        );
      }
      await forget({ affected: 400 });
      expect(await rowsOf('affected', cluster)).toBe(0);
      const [before] = await intake.state(cluster);
      expect(before).toMatchObject({ affected: 2, open: 0, occurrences: 6, status: 'resolved' });
      expect(before!.episodes).toHaveLength(6);
      return { cluster, before: before! };
    }

    it('counts a late delivery and opens nothing', async () => {
      const { cluster, before } = await forgotten('late');
      const rollups = await intake.rollups(cluster);
      await intake.push(
        cluster,
        [failed(POD('ddddd'), 'late', START + 3 * DAY), failed(POD('bbbbb'), 'later', START - DAY, START + 15 * DAY, 9)],
        LATER,
      );
      const [after] = await intake.state(cluster);
      expect(after).toMatchObject({ status: 'resolved', open: 0, occurrences: 16, affected: 4, episodes: before.episodes });
      const episodes = (list: unknown[]): unknown[] =>
        (list as { opened: number; reopened: number; resolved: number }[])
          .map(({ opened, reopened, resolved }) => [opened, reopened, resolved])
          .filter((each) => each.some(Boolean));
      expect(episodes(await intake.rollups(cluster))).toEqual(episodes(rollups));
    });

    it('adds an episode for a new failure of an object that was forgotten, and lets all before stand', async () => {
      const { cluster, before } = await forgotten('anew');
      await intake.push(cluster, [failed(POD('bbbbb'), 'new', LATER)], LATER);
      const [open] = await intake.state(cluster);
      expect(open).toMatchObject({ status: 'open', open: 1, occurrences: 7, affected: 3 });
      expect(open!.episodes).toEqual([...before.episodes, { start: LATER, end: null, by: null }]);
      await intake.push(cluster, [ended(POD('bbbbb'), LATER + MINUTE)], LATER + MINUTE);
      expect((await intake.state(cluster))[0]).toMatchObject({ status: 'resolved', open: 0, resolvedAt: LATER + MINUTE });
    });

    it('lets nothing reach back behind what is final', async () => {
      const { cluster, before } = await forgotten('reaches');
      await intake.push(cluster, [failed(POD('bbbbb'), 'long', START - DAY, LATER, 5000)], LATER);
      const [after] = await intake.state(cluster);
      expect(after!.episodes.slice(0, 6)).toEqual(before.episodes);
      expect(after!.episodes.slice(6).every(({ start }) => start >= START + 20 * DAY + 6 * MINUTE)).toBe(true);
      expect(after).toMatchObject({ status: 'open', open: 1 });
    });

    it('keeps an episode whole that objects that are kept share with forgotten ones', async () => {
      const cluster = await intake.cluster('shared');
      await intake.push(cluster, [failed(POD('bbbbb'), 'b', START), failed(POD('ccccc'), 'c', START + MINUTE)], START + MINUTE);
      await intake.push(cluster, [ended(POD('bbbbb'), START + DAY)], START + DAY);
      await forget({ affected: 400 });
      expect(await rowsOf('affected', cluster)).toBe(1);
      await intake.push(cluster, [ended(POD('ccccc'), LATER)], LATER);
      expect((await intake.state(cluster))[0]).toMatchObject({
        affected: 2,
        open: 0,
        episodes: [{ start: START, end: LATER, by: 'SUCCESS_EVENT' }],
      });
    });

    it('leaves what was forgotten with its incident when the owner of what is kept becomes known', async () => {
      const cluster = await intake.cluster('moves');
      const pod = 'mysql-0';
      await intake.push(
        cluster,
        [failed(pod, 'a', START, START, 3, 'a'), failed(pod, 'b', START + MINUTE, START + MINUTE, 4, 'b')],
        START + MINUTE,
      );
      await intake.push(cluster, [ended(pod, START + DAY, 'a')], START + DAY);
      await forget({ affected: 400 });
      const owned = failed(pod, 'b2', LATER, LATER, 1, 'b');
      owned.event.object = { ...owned.event.object, owner: { kind: 'StatefulSet', name: 'mysql' } };
      await intake.push(cluster, [owned], LATER);
      expect(await intake.state(cluster)).toMatchObject([
        { subject: expect.stringMatching(/^Pod\//), status: 'resolved', affected: 1, open: 0, occurrences: 3 },
        { subject: expect.stringMatching(/^StatefulSet\//), status: 'open', affected: 1, open: 1, occurrences: 5 },
      ]);
    });

    it('tells the same of what goes on as a cluster that forgot nothing', async () => {
      const random = seededRandom(99);
      for (let round = 0; round < 4; round++) {
        const list = sampleDeliveries(120 + Math.floor(random() * 120));
        // The same Pods fail again years later, as new Events.
        const again = list.map((delivery): Delivery => {
          const { event, signals } = delivery;
          const moved = { ...event, uid: `again-${event.uid}`, firstAt: event.firstAt + 1000 * DAY, lastAt: event.lastAt + 1000 * DAY };
          return { ...delivery, event: moved, signals: signals.map((signal) => ({ ...signal, at: signal.at + 1000 * DAY })) };
        });
        const states = [];
        for (const forgets of [false, true]) {
          const cluster = await intake.cluster(`property-${round}-${forgets}`);
          await intake.push(cluster, list, START + 3 * DAY);
          await intake.settle(cluster, START + 500 * DAY);
          if (forgets) await forgetObjectsOf(cluster, LATER);
          const half = Math.floor(random() * again.length);
          for (const part of [again.slice(0, half), again.slice(half)]) await intake.push(cluster, part, START + 1003 * DAY);
          const incidents = await intake.state(cluster);
          states.push({
            incidents: told(incidents).map((each) => ({ ...(each as IncidentState), affected: 0 })),
            rollups: await intake.rollups(cluster),
          });
        }
        expect(states[1]).toEqual(states[0]);
      }
    }, 60_000);
  });

  it('works in bounded steps, beside intake and beside another process', async () => {
    const cluster = await intake.cluster('steps');
    await intake.push(cluster, sampleDeliveries(300), START + 3 * DAY);
    await intake.settle(cluster, LATER);
    const cutoffs = { quarters: undefined, hours: undefined, incidents: undefined, affected: new Date(LATER).toISOString() };
    expect(await repository.step(cluster, cutoffs, 7)).toBe(7);
    const both = await Promise.all([
      repository.step(cluster, cutoffs, 7),
      repository.step(cluster, cutoffs, 7),
      intake.push(cluster, [failed(POD('fffff'), 'now', LATER)], LATER),
    ]);
    expect(both[0] + both[1]).toBeLessThanOrEqual(14);
    expect(both[2]).toEqual([true]);
    await database.pool.query('UPDATE cluster SET removing_at = now() WHERE id = $1', [cluster]);
    expect(await repository.step(cluster, cutoffs, 7)).toBe(0);
  });
});

describe('forgetting incidents', () => {
  it('deletes resolved ones with all that hangs on them, and leaves open ones and the sums', async () => {
    const cluster = await intake.cluster('incidents');
    await intake.push(cluster, [failed(POD('bbbbb'), 'b', START), ended(POD('bbbbb'), START + MINUTE)], START + DAY);
    await intake.push(cluster, [failed('alone', 'o', START)], START + DAY);
    const rollups = await intake.rollups(cluster);
    const [gone, kept] = (
      await intake.database.rows<{ id: string }>('SELECT id FROM incident WHERE cluster_id = $1 ORDER BY status DESC', cluster)
    ).map(({ id }) => id);
    for (const id of [gone, kept]) {
      await intake.database.rows(
        `INSERT INTO incident_audit (incident_id, cluster_id, at, version, kind, by, by_id, before, after) VALUES ($1, $2, now(), 1, 'COMMENTED', 'x', 'x', '{}', '{}')`,
        id,
        cluster,
      );
    }
    await forget({ affected: 400 });
    expect(await rowsOf('incident', cluster)).toBe(2);
    expect(await forget({ affected: 400, incidents: 450 })).toBeGreaterThan(0);
    expect(await intake.state(cluster)).toMatchObject([{ status: 'open' }]);
    expect(await intake.database.rows('SELECT incident_id AS id FROM incident_audit WHERE cluster_id = $1', cluster)).toEqual([
      { id: kept },
    ]);
    expect(await intake.database.rows('SELECT 1 FROM episode WHERE incident_id = $1', gone)).toEqual([]);
    expect(await intake.rollups(cluster)).toEqual(rollups);
    await expect(intake.database.rows('DELETE FROM incident_audit WHERE cluster_id = $1', cluster)).rejects.toThrow(
      /never changed or deleted/,
    );
  });
});

describe('dropping sums', () => {
  const range = (from: string, ...steps: number[]): number[] => [0, ...steps].map((minutes) => Date.parse(from) + minutes * MINUTE);

  it('answers what coarser sums answer as before, and says what it cannot answer', async () => {
    const cluster = await intake.cluster('cells');
    await intake.push(cluster, sampleDeliveries(300), START + 3 * DAY);
    const trends = new TrendRepository(intake.database);
    const ask = (edges: number[]) =>
      trends.series({
        filter: { clusters: ['cells'] },
        scope: EVERYTHING,
        edges,
        dimensions: [],
        facts: [],
        open: true,
        first: 10,
        rankFrom: 0,
      });
    const days = range('2026-03-01T00:00:00Z', 1440, 2880);
    const berlin = range('2026-02-28T23:00:00Z', 1440, 2880);
    const kolkata = range('2026-02-28T18:30:00Z', 1440, 2880);
    const hours = range('2026-03-01T09:00:00Z', 60, 120);
    const before = [await ask(days), await ask(berlin), await ask(hours), await ask(kolkata)];
    expect(before.every(({ total }) => total.buckets.some(({ occurrences }) => occurrences! > 0))).toBe(true);

    expect(await forget({ quarters: 100 })).toBeGreaterThan(0);
    expect([await ask(days), await ask(berlin), await ask(hours)]).toEqual(before.slice(0, 3));
    await expect(ask(kolkata)).rejects.toMatchObject({
      code: 'CELLS_DROPPED',
      message: expect.stringMatching(/^Sums of quarters of an hour are kept from 20\d\d-.* needs them from 2026-02-28T18:30:00Z on/),
    });
    expect(await intake.database.rows('SELECT 1 FROM rollup_namespace_problem WHERE cluster_id = $1 AND minutes = 15', cluster)).toEqual(
      [],
    );

    await forget({ quarters: 100, hours: 100 });
    expect(await ask(days)).toEqual(before[0]);
    for (const edges of [berlin, hours])
      await expect(ask(edges)).rejects.toMatchObject({ code: 'CELLS_DROPPED', message: expect.stringMatching(/Sums of hours are kept/) });
    await expect(trends.rows({ filter: {}, scope: EVERYTHING, edges: hours, dimensions: [], facts: [] })).rejects.toMatchObject({
      code: 'CELLS_DROPPED',
    });
    // Of now, nothing is missing.
    await expect(ask(range(new Date(LATER).toISOString(), 60, 120))).resolves.toBeDefined();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bucketEdges } from '../../src/api/history/bucket-edges.js';
import { timeZoneOf } from '../../src/api/history/time-zone.js';
import type { Delivery } from '../../src/incidents/delivery.js';
import { applyBatch } from '../../src/pipeline/apply-batch.js';
import { EverywhereService } from '../../src/pipeline/everywhere.service.js';
import { ForgettingService } from '../../src/pipeline/forgetting.service.js';
import { takeBackSightings } from '../../src/pipeline/take-back-sightings.js';
import type { Scope } from '../../src/platform/scope.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import { ClusterRemovalRepository } from '../../src/store/cluster-removal.repository.js';
import type { Database } from '../../src/store/database.service.js';
import { EverywhereRepository } from '../../src/store/everywhere.repository.js';
import { ForgettingRepository } from '../../src/store/forgetting.repository.js';
import type { Series } from '../../src/store/queries/find-series.js';
import { Registrations } from '../../src/store/registrations.service.js';
import { rows } from '../../src/store/rows.js';
import { TrendRepository } from '../../src/store/trend.repository.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import type { RecountedCell } from '../support/stream.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const FROM = Date.parse('2026-02-28T10:00:00Z');
const TO = Date.parse('2026-03-03T10:00:00Z');
const NOW = Date.parse('2026-03-04T00:00:00Z');
const DAYS = ['UTC', 'Europe/Berlin', 'Asia/Kolkata'].map((zone) => bucketEdges('day', timeZoneOf(zone), FROM, TO));
const HOURS = bucketEdges('hour', timeZoneOf('Asia/Kathmandu'), FROM, TO);

let database: TestDatabase;
let intake: TestIntake;
let trends: TrendRepository;
let repository: EverywhereRepository;
let everywhere: EverywhereService;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  trends = new TrendRepository(intake.database);
  repository = new EverywhereRepository(intake.database);
  everywhere = new EverywhereService(repository);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

const SAMPLES = sampleDeliveries(360);
/** Clusters of the test by name, and what none of them was told yet. */
let clusters: Map<string, number>;
let late: Delivery[];
let tests = 0;

/** Three clusters, told the later part of what happened. */
beforeEach(async () => {
  for (const id of await goingOrStaying()) await remove(id);
  await everywhere.run();
  tests++;
  clusters = new Map();
  for (const name of ['one', 'two', 'three']) clusters.set(name, await intake.cluster(`${name}-${tests}`));
  const sorted = SAMPLES.toSorted((a, b) => a.event.lastAt - b.event.lastAt);
  late = sorted.slice(0, 150);
  for (const [i, id] of [...clusters.values()].entries())
    await intake.push(
      id,
      sorted.slice(150).filter((_, n) => n % 4 >= i),
      NOW,
    );
});

const goingOrStaying = async (): Promise<number[]> =>
  (await intake.database.rows<{ id: number }>('SELECT id FROM cluster')).map(({ id }) => id);
const beginRemoval = (id: number): Promise<unknown> => intake.database.rows('UPDATE cluster SET removing_at = now() WHERE id = $1', id);
async function remove(id: number): Promise<void> {
  await beginRemoval(id);
  const removals = new ClusterRemovalRepository(intake.database, new Registrations());
  while ((await removals.step(id)) === 'some');
}
const nameOf = (name: string): string => `${name}-${tests}`;
const touched = async (): Promise<number> =>
  (await intake.database.rows<{ n: number }>('SELECT count(DISTINCT hour)::int AS n FROM rollup_touched'))[0]!.n;

type Sums = [number, number, number, number, number];

/** Quarters of an hour by namespace and problem, counted anew from sightings and episodes of some clusters. */
async function recount(...names: string[]): Promise<RecountedCell[]> {
  return (await Promise.all(names.map((name) => intake.recountQuarters(clusters.get(name)!)))).flat();
}

/** Sums by problem, or what else tells cells apart, and bucket. */
function byProblem(
  cells: readonly RecountedCell[],
  edges: readonly number[],
  keyOf = ({ problem }: RecountedCell): string => problem,
): Record<string, Sums[]> {
  const sums: Record<string, Sums[]> = {};
  for (const cell of cells) {
    const bucket = edges.findLastIndex((edge) => edge <= cell.at);
    if (bucket < 0 || bucket >= edges.length - 1) continue;
    const of = (sums[keyOf(cell)] ??= edges.slice(1).map(() => [0, 0, 0, 0, 0]));
    [cell.occurrences, cell.opened, cell.reopened, cell.resolved, cell.resolve_ms].forEach((value, i) => (of[bucket]![i]! += value));
  }
  return sums;
}

const sumsOf = (buckets: Series['buckets']): Sums[] =>
  buckets.map(({ occurrences, opened, reopened, resolved, resolveMs }) => [occurrences!, opened, reopened, resolved, resolveMs]);
const asked = (scope: Scope, edges: readonly number[]) => ({ filter: {}, scope, edges, dimensions: ['problem' as const], facts: [] });
const groupsOf = ({ groups }: { groups: Series[] }): Record<string, Sums[]> =>
  Object.fromEntries(groups.map(({ key, buckets }) => [key[0]!, sumsOf(buckets)]));

/** Problems whose histories are asked for. */
const NAMED = ['kubernetes/sample/p1', 'kubernetes/sample/p2'];
const askedByCluster = (scope: Scope, edges: readonly number[]) => ({
  ...asked(scope, edges),
  filter: { problems: NAMED },
  dimensions: ['cluster' as const],
});

/** Holds the answers by problem, and of two problems by cluster, over days of zones and over hours, to a recount, to the answers cluster by cluster, and to each other. */
async function expectExact(...names: string[]): Promise<void> {
  const named: Scope = { clusters: names.map(nameOf), namespaces: null };
  const ofNamed = await Promise.all(names.map(async (name) => ({ name, cells: await recount(name) })));
  const cells = ofNamed.flatMap((of) => of.cells);
  for (const edges of [...DAYS, HOURS]) {
    const first = { open: true, first: 100, rankFrom: 0 };
    const all = await trends.series({ ...asked(EVERYTHING, edges), ...first });
    const expected = byProblem(cells, edges);
    expect(Object.keys(expected).length).toBeGreaterThan(3);
    expect(groupsOf(all)).toEqual(expected);
    expect(await trends.series({ ...asked(named, edges), ...first })).toEqual(all);
    const lines = await trends.rows(asked(EVERYTHING, edges));
    const fromLines: Record<string, Sums[]> = {};
    for (const line of lines) (fromLines[line.key[0]!] ??= edges.slice(1).map(() => [0, 0, 0, 0, 0]))[line.bucket] = sumsOf([line])[0]!;
    expect(fromLines).toEqual(expected);
    const byCluster = await trends.series({ ...askedByCluster(EVERYTHING, edges), ...first });
    const expectedByCluster = ofNamed.map(({ name, cells: of }) => {
      const named = of.filter(({ problem }) => NAMED.includes(problem));
      return byProblem(named, edges, () => nameOf(name));
    });
    expect(groupsOf(byCluster)).toEqual(Object.assign({}, ...expectedByCluster));
    expect(await trends.series({ ...askedByCluster(named, edges), ...first })).toEqual(byCluster);
  }
}

/** How many rows of a table a question reads, of everything by problem if nothing else is said. */
async function rowsRead(table: string, edges: readonly number[], question: typeof asked | typeof askedByCluster = asked): Promise<number> {
  return intake.database.transaction(async (connection) => {
    const count = async (): Promise<number> =>
      (
        await rows<{ read: number }>(
          connection,
          'SELECT (COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_xact_user_tables WHERE relname = $1',
          table,
        )
      )[0]!.read;
    const reads = { rows: (sql: string, ...params: unknown[]) => rows(connection, sql, ...params) };
    const before = await count();
    await new TrendRepository({ reads } as Database).series({ ...question(EVERYTHING, edges), open: true, first: 100, rankFrom: 0 });
    return (await count()) - before;
  });
}

describe('sums over all clusters', () => {
  it('are what a recount says before they are made, half made and made, and are read instead of the sums of each cluster', async () => {
    expect(await touched()).toBeGreaterThan(10);
    await expectExact('one', 'two', 'three');
    expect(await repository.step(5)).toBe(5);
    expect(await touched()).toBeGreaterThan(5);
    await expectExact('one', 'two', 'three');
    await everywhere.run();
    expect(await touched()).toBe(0);
    await expectExact('one', 'two', 'three');
    for (const edges of [...DAYS, HOURS]) {
      expect(await rowsRead('rollup_problem', edges)).toBe(0);
      expect(await rowsRead('rollup_everywhere', edges)).toBeGreaterThan(0);
      expect(await rowsRead('rollup_problem', edges, askedByCluster)).toBe(0);
      // One row for each problem and cell, however many clusters there are.
      const gathered = await rowsRead('rollup_by_cluster', edges, askedByCluster);
      expect(gathered).toBeGreaterThan(0);
      expect(gathered).toBeLessThanOrEqual(await rowsRead('rollup_everywhere', edges));
    }
  });

  it('follow deliveries that come late, in the same moment', async () => {
    await everywhere.run();
    await intake.push(clusters.get('two')!, late, NOW);
    await expectExact('one', 'two', 'three');
    await repository.step(3);
    await expectExact('one', 'two', 'three');
    await everywhere.run();
    await expectExact('one', 'two', 'three');
    expect(await rowsRead('rollup_problem', HOURS)).toBe(0);
  });

  it('hold what a batch wrote that was not committed when they were made', async () => {
    const [half, rest] = [late.slice(0, 75), late.slice(75)];
    await intake.push(clusters.get('one')!, half, NOW);
    await intake.repository.transaction(clusters.get('two')!, async (transaction) => {
      await applyBatch(transaction, [...half, ...rest], NOW);
      await everywhere.run();
      expect(await touched()).toBe(0);
    });
    await expectExact('one', 'two', 'three');
    await everywhere.run();
    await expectExact('one', 'two', 'three');
  });

  it('follow Events that are diagnosed again as another problem', async () => {
    await everywhere.run();
    const moved = SAMPLES.filter(({ sighted }) => sighted?.id === 'kubernetes/sample/p1');
    const uids = new Set(moved.map(({ event }) => event.uid));
    await intake.repository.transaction(clusters.get('one')!, async (transaction) => {
      await takeBackSightings(transaction, new Map([...uids].map((uid) => [uid, 'kubernetes/sample/p1'])));
      const latest = new Map(moved.map((delivery) => [delivery.event.uid, delivery]));
      const as = [...latest.values()].map((delivery) => ({ ...delivery, sighted: { ...delivery.sighted!, id: 'kubernetes/sample/p9' } }));
      await applyBatch(transaction, as, NOW);
    });
    await expectExact('one', 'two', 'three');
    await everywhere.run();
    await expectExact('one', 'two', 'three');
  });

  it('are without a cluster from the moment on in which its removal is ordered', async () => {
    await everywhere.run();
    const gone = clusters.get('one')!;
    await beginRemoval(gone);
    await expectExact('two', 'three');
    await repository.step(2);
    await intake.database.rows('DELETE FROM rollup_problem WHERE cluster_id = $1 AND minutes <> 60', gone);
    await expectExact('two', 'three');
    await everywhere.run();
    await expectExact('two', 'three');
    expect(await rowsRead('rollup_problem', DAYS[0]!)).toBe(0);
    await remove(gone);
    await everywhere.run();
    await expectExact('two', 'three');
  });

  it('are not for a caller who may see some clusters or namespaces only', async () => {
    await everywhere.run();
    const all = await recount('one', 'two', 'three');
    const [two, three] = [await recount('two'), await recount('three')];
    const inNamespace = (name: string): RecountedCell[] => all.filter(({ namespace }) => namespace === name);
    for (const edges of DAYS) {
      const sums = async (scope: Scope, filter = {}) =>
        groupsOf(await trends.series({ ...asked(scope, edges), filter, open: false, first: 100, rankFrom: 0 }));
      expect(await sums({ clusters: [nameOf('two')], namespaces: null })).toEqual(byProblem(two, edges));
      expect(await sums({ clusters: null, namespaces: ['team-1'] })).toEqual(byProblem(inNamespace('team-1'), edges));
      expect(await sums({ clusters: [], namespaces: null })).toEqual({});
      expect(await sums(EVERYTHING, { clusters: [nameOf('three')] })).toEqual(byProblem(three, edges));
      expect(await sums(EVERYTHING, { namespaces: ['team-0'] })).toEqual(byProblem(inNamespace('team-0'), edges));
      const problem = 'kubernetes/sample/p2';
      expect(await sums(EVERYTHING, { problems: [problem, 'kubernetes/sample/none'] })).toEqual({
        [problem]: byProblem(all, edges)[problem],
      });
    }
  });

  it('go with the quarters that are not kept any more, and leave the days as they were', async () => {
    await everywhere.run();
    const forgetting = new ForgettingService(new ForgettingRepository(intake.database), {
      quarters: 400,
      hours: Infinity,
      affected: Infinity,
      incidents: Infinity,
    });
    const finest = async (): Promise<number[][]> => {
      const of = (table: string) => intake.database.rows<{ minutes: number }>(`SELECT DISTINCT minutes FROM ${table} ORDER BY minutes`);
      const both = await Promise.all(['rollup_everywhere', 'rollup_by_cluster'].map(of));
      return both.map((found) => found.map(({ minutes }) => minutes));
    };
    const before = await trends.series({ ...asked(EVERYTHING, DAYS[0]!), open: true, first: 100, rankFrom: 0 });
    const all = [15, 60, 1440];
    expect(await finest()).toEqual([all, all]);
    await forgetting.run(NOW + 402 * 86_400_000);
    expect(await finest()).toEqual([all.slice(1), all.slice(1)]);
    expect(await trends.series({ ...asked(EVERYTHING, DAYS[0]!), open: true, first: 100, rankFrom: 0 })).toEqual(before);
    await expect(trends.series({ ...asked(EVERYTHING, DAYS[2]!), open: true, first: 100, rankFrom: 0 })).rejects.toThrow(
      'quarters of an hour',
    );
  });

  it('are without a removed cluster also where its hours are not kept any more', async () => {
    await everywhere.run();
    const later = (hours: number): ForgettingService =>
      new ForgettingService(new ForgettingRepository(intake.database), { quarters: hours, hours, affected: Infinity, incidents: Infinity });
    await later(400).run(NOW + 402 * 86_400_000);
    await remove(clusters.get('one')!);
    await everywhere.run();
    const days = DAYS[0]!;
    const first = { open: true, first: 100, rankFrom: 0 };
    const ofOthers = (await recount('two', 'three')).filter(({ problem }) => NAMED.includes(problem));
    const answer = await trends.series({ ...askedByCluster(EVERYTHING, days), ...first });
    expect(answer.groups.map(({ key }) => key[0]).toSorted()).toEqual(['three', 'two'].map(nameOf));
    expect(sumsOf(answer.total.buckets)).toEqual(byProblem(ofOthers, days, () => 'all')['all']);
    expect(await rowsRead('rollup_problem', days, askedByCluster)).toBe(0);
  });
});

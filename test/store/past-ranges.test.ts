import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketEdges } from '../../src/api/history/bucket-edges.js';
import { timeZoneOf } from '../../src/api/history/time-zone.js';
import type { Delivery } from '../../src/incidents/delivery.js';
import { EverywhereService } from '../../src/pipeline/everywhere.service.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import type { Database } from '../../src/store/database.service.js';
import { EverywhereRepository } from '../../src/store/everywhere.repository.js';
import type { Dimension } from '../../src/store/queries/cell-source.js';
import type { Measures } from '../../src/store/queries/find-series.js';
import type { HappeningFilter } from '../../src/store/queries/happening-filter.js';
import { rows } from '../../src/store/rows.js';
import { TrendRepository } from '../../src/store/trend.repository.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import type { RecountedCell } from '../support/stream.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const HOUR = 3_600_000;
const at = (time: string): number => Date.parse(time);
const START = at('2026-03-01T10:00:00Z');
const NOW = at('2026-06-01T00:00:00Z');
const LASTING = 'kubernetes/sample/lasting';
const LATER = 'kubernetes/sample/later';
const SAMPLES = ['kubernetes/sample/p1', 'kubernetes/sample/p2'];

let database: TestDatabase;
let intake: TestIntake;
let trends: TrendRepository;
const clusters = new Map<string, number>();

/** What happens to a busy cluster within 33 hours, spread over 33 days. */
const STRETCHED = sampleDeliveries(400).map(({ event, signals, ...rest }): Delivery => {
  const later = (moment: number): number => START + (moment - START) * 24;
  return {
    ...rest,
    event: { ...event, firstAt: later(event.firstAt), lastAt: later(event.lastAt) },
    signals: signals.map((signal) => ({ ...signal, at: later(signal.at) })),
  };
});
const sample = STRETCHED.find(({ sighted }) => sighted && !sighted.id.endsWith('3'))!;

/** Something that goes wrong with a Pod, and ends when it is `done`. */
function failing(name: string, id: string, time: string): Delivery {
  const [firstAt, lastAt] = [at(time), at(time)];
  const event = { ...sample.event, uid: `${name} ${time}`, object: { ...sample.event.object, name }, firstAt, lastAt, count: 1 };
  return { ...sample, event, sighted: { ...sample.sighted!, id } };
}
function done(name: string, time: string): Delivery {
  const { event } = failing(name, LASTING, time);
  const objectKey = `Pod/${event.object.namespace}/${name}`;
  return { event, signals: [{ objectKey, container: '', token: 'done', at: at(time) }] };
}

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  trends = new TrendRepository(intake.database);
  for (const name of ['one', 'two', 'three']) clusters.set(name, await intake.cluster(name));
  await intake.push(clusters.get('one')!, STRETCHED, NOW);
  await intake.push(
    clusters.get('two')!,
    STRETCHED.filter((_, i) => i % 3 > 0),
    NOW,
  );
  await intake.push(
    clusters.get('three')!,
    [
      failing('lasting', LASTING, '2026-03-09T08:00:00Z'),
      failing('later', LATER, '2026-03-12T09:00:00Z'),
      done('lasting', '2026-03-13T10:00:00Z'),
    ],
    NOW,
  );
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

interface Cell extends RecountedCell {
  cluster: string;
}

/** Quarters of an hour, counted anew from sightings and episodes. */
async function recount(): Promise<Cell[]> {
  const found = await Promise.all(
    [...clusters].map(async ([cluster, id]) => (await intake.recountQuarters(id)).map((cell) => ({ ...cell, cluster }))),
  );
  return found.flat();
}

interface Told {
  buckets: Measures[];
  open: number[];
}

/** What a recount says of each group in which something happened in the range, or that was open at its end. */
function toldBy(cells: readonly Cell[], edges: readonly number[], keyOf: (cell: Cell) => string): Record<string, Told> {
  const told: Record<string, Told> = {};
  for (const key of new Set(cells.map(keyOf))) {
    const of = cells.filter((cell) => keyOf(cell) === key);
    const sum = (name: 'occurrences' | 'opened' | 'reopened' | 'resolved' | 'resolve_ms', from: number, to: number): number =>
      of.filter((cell) => cell.at >= from && cell.at < to).reduce((all, cell) => all + cell[name], 0);
    const buckets = edges.slice(1).map((to, i) => ({
      occurrences: sum('occurrences', edges[i]!, to),
      opened: sum('opened', edges[i]!, to),
      reopened: sum('reopened', edges[i]!, to),
      resolved: sum('resolved', edges[i]!, to),
      resolveMs: sum('resolve_ms', edges[i]!, to),
    }));
    const open = edges.slice(1).map((to) => sum('opened', 0, to) + sum('reopened', 0, to) - sum('resolved', 0, to));
    if (open.at(-1) !== 0 || buckets.some((bucket) => Object.values(bucket).some((value) => value !== 0))) told[key] = { buckets, open };
  }
  return told;
}

const hours = (zone: string, from: string, to: string): number[] => bucketEdges('hour', timeZoneOf(zone), at(from), at(to));
const RANGES = [
  hours('UTC', '2026-03-05T08:00:00Z', '2026-03-07T08:00:00Z'),
  hours('UTC', '2026-03-09T12:00:00Z', '2026-03-11T00:00:00Z'),
  hours('Asia/Kathmandu', '2026-03-05T08:00:00Z', '2026-03-06T23:40:00Z'),
  hours('Asia/Kathmandu', '2026-03-05T08:00:00Z', '2026-03-07T00:10:00Z'),
  hours('Asia/Kolkata', '2026-03-10T08:00:00Z', '2026-03-11T23:20:00Z'),
  bucketEdges('day', timeZoneOf('Asia/Kolkata'), at('2026-03-05T08:00:00Z'), at('2026-03-07T08:00:00Z')),
];
const WAYS: [string, Dimension[], HappeningFilter, (cell: Cell) => string][] = [
  ['rollup_everywhere', ['problem'], {}, ({ problem }) => problem],
  ['rollup_by_cluster', ['cluster'], { problems: SAMPLES }, ({ cluster }) => cluster],
  ['rollup_cluster', ['cluster'], {}, ({ cluster }) => cluster],
  ['rollup_problem', ['cluster', 'problem'], {}, ({ cluster, problem }) => `${cluster} ${problem}`],
  ['rollup_namespace', ['namespace'], {}, ({ namespace }) => namespace],
  ['rollup_namespace_problem', ['namespace', 'problem'], {}, ({ namespace, problem }) => `${namespace} ${problem}`],
];

const ask = (edges: readonly number[], dimensions: Dimension[], filter: HappeningFilter, by = trends) =>
  by.series({ filter, scope: EVERYTHING, edges, dimensions, facts: [], open: true, first: 1000, rankFrom: 0 });

async function expectExact(): Promise<void> {
  const cells = await recount();
  for (const [, dimensions, { problems }, keyOf] of WAYS)
    for (const edges of RANGES) {
      const expected = toldBy(problems ? cells.filter(({ problem }) => problems.includes(problem)) : cells, edges, keyOf);
      expect(Object.keys(expected).length).toBeGreaterThan(1);
      const { groups } = await ask(edges, dimensions, { problems });
      expect(Object.fromEntries(groups.map(({ key, ...told }) => [key.join(' '), { buckets: told.buckets, open: told.open }]))).toEqual(
        expected,
      );
    }
}

/** How many rows of a table a question reads where an index leads to them. */
async function rowsRead(table: string, edges: readonly number[], dimensions: Dimension[], filter: HappeningFilter): Promise<number> {
  return intake.database.transaction(async (connection) => {
    await rows(connection, 'SET LOCAL enable_seqscan = off');
    const count = async (): Promise<number> => {
      const [read] = await rows<{ n: number }>(
        connection,
        'SELECT (COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0))::float8 AS n FROM pg_stat_xact_user_tables WHERE relname = $1',
        table,
      );
      return read!.n;
    };
    const before = await count();
    const reads = { rows: (sql: string, ...params: unknown[]) => rows(connection, sql, ...params) };
    await ask(edges, dimensions, filter, new TrendRepository({ reads } as Database));
    return (await count()) - before;
  });
}

describe('a question about a past range', () => {
  it('is answered as a recount says, with what was open when, before the sums over all clusters are made and after', async () => {
    await expectExact();
    const repository = new EverywhereRepository(intake.database);
    await repository.step(100);
    await expectExact();
    await new EverywhereService(repository).run();
    await expectExact();
  });

  it.each(WAYS)('reads days of %s for what came since, and hours to the next midnight only', async (table, dimensions, filter) => {
    await new EverywhereService(new EverywhereRepository(intake.database)).run();
    const edges = RANGES[0]!;
    const midnight = at('2026-03-08T00:00:00Z');
    const [there] = await intake.database.rows<{ needed: number; hours: number }>(
      `SELECT (count(*) FILTER (WHERE minutes = 60 AND at < to_timestamp($2) OR minutes = 1440 AND at >= to_timestamp($2)))::float8 AS needed,
         (count(*) FILTER (WHERE minutes = 60))::float8 AS hours
       FROM ${table} WHERE at >= to_timestamp($1) AND ($3::text[] IS NULL OR to_jsonb(${table})->>'problem_id' = ANY($3))`,
      edges[0]! / 1000,
      midnight / 1000,
      filter.problems ?? null,
    );
    expect(there!.needed).toBeLessThan(there!.hours);
    const read = await rowsRead(table, edges, dimensions, filter);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(there!.needed);
  });

  // Wednesday: one incident was there from Monday to Friday, another began on Thursday.
  const wednesday = hours('UTC', '2026-03-11T00:00:00Z', '2026-03-12T00:00:00Z');
  const both = { problems: [LASTING, LATER] };

  it.each<[Dimension[], string[]]>([
    [['problem'], [LASTING]],
    [['cluster'], ['three']],
    [
      ['cluster', 'problem'],
      ['three', LASTING],
    ],
    [['status'], ['resolved']],
  ])('names the group that was open all the time and ended since, and none that began since: by %j', async (dimensions, key) => {
    const { groups, total } = await ask(wednesday, dimensions, both);
    expect(groups.map((group) => ({ key: group.key, open: group.open }))).toEqual([{ key, open: Array.from({ length: 24 }, () => 1) }]);
    expect(total.open).toEqual(groups[0]!.open);
  });

  it.each([
    ['is open and nothing happens', '2026-03-20T00:00:00Z', [['open']]],
    ['has not begun', '2026-03-02T00:00:00Z', []],
  ])('tells no occurrences by status where an incident %s', async (_what, from, keys) => {
    const edges = [at(from), at(from) + HOUR];
    const { groups, total } = await ask(edges, ['status'], both);
    expect(groups.map(({ key }) => key)).toEqual(keys);
    for (const { buckets } of [...groups, total]) expect(buckets.map(({ occurrences }) => occurrences)).toEqual([null]);
  });
});

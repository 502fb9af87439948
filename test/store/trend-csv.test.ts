import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyRange } from '../../src/api/history/history-range.js';
import { TrendCsv } from '../../src/api/history/trend-csv.service.js';
import type { Logger } from '../../src/platform/logger.service.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import { Database } from '../../src/store/database.service.js';
import type { TrendRowsQuery } from '../../src/store/queries/find-trend-rows.js';
import { TrendRepository } from '../../src/store/trend.repository.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const START = Date.parse('2026-05-01T00:00:00Z');
const DAY = 86_400_000;
/** Problems of each day: of some none, of two many. */
const DAYS = [['a'], [], ['a', 'b'], many(23), ['a'], [], [], [], [], ['B', 'a'], many(8), ['z'], ['z']];

function many(count: number): string[] {
  return ['A-', 'a-', 'ä-', '"-'].flatMap((letter) => Array.from({ length: count }, (_, i) => `${letter}${i}`)).sort();
}

let database: TestDatabase;
let store: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new Database({ url: database.url, pool: 2 });
  await database.pool.query(`INSERT INTO cluster (name, provider) VALUES ('blue', 'tke')`);
  await database.pool.query(
    `INSERT INTO rollup_problem (cluster_id, problem_id, minutes, at, occurrences, opened, reopened, resolved, resolve_ms)
     SELECT c.id, d.problem, m.minutes, to_timestamp(d.at / 1000), d.day + 1, 0, 0, 0, 0
     FROM cluster c, json_to_recordset($1) AS d(problem text, at float8, day integer), unnest('{15,60,1440}'::smallint[]) AS m(minutes)`,
    [JSON.stringify(DAYS.flatMap((problems, day) => problems.map((problem) => ({ problem, at: START + day * DAY, day }))))],
  );
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

/** The lines below the names of the columns, and how many rows each statement gave. */
async function linesOf(limit?: number): Promise<{ lines: string[]; read: number[] }> {
  const trends = new TrendRepository(store);
  const read: number[] = [];
  const counted = {
    rows: async (query: TrendRowsQuery) => {
      const rows = await trends.rows(query);
      read.push(rows.length);
      return rows;
    },
  };
  const csv = new TrendCsv(counted as TrendRepository, { error: () => undefined } as unknown as Logger);
  const range = historyRange({ from: START, to: START + DAYS.length * DAY, bucket: 'day' }, START);
  const parts: string[] = [];
  const trend = { filter: {}, groupBy: ['cluster' as const, 'problem' as const], range, facts: [], scope: EVERYTHING };
  for await (const part of await csv.lines(trend, limit)) parts.push(part);
  return { lines: parts.join('').trim().split('\r\n').slice(1), read };
}

describe('trends as CSV', () => {
  it.each([1, 2, 7, 92, 93])('hold at most %i rows in memory, and leave none out', async (limit) => {
    const { lines, read } = await linesOf(limit);
    expect(Math.max(...read)).toBeLessThanOrEqual(limit);
    expect(lines.map((line) => line.slice(0, 10) + line.split(',').at(-5))).toEqual(
      DAYS.flatMap((problems, day) => problems.map(() => new Date(START + day * DAY).toISOString().slice(0, 10) + String(day + 1))),
    );
    expect(lines).toEqual((await linesOf()).lines);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../src/platform/scope.js';
import { Database } from '../../src/store/database.service.js';
import { countBySeverity } from '../../src/store/queries/count-by-severity.js';
import { findClustersSeen, findSeen } from '../../src/store/queries/find-seen.js';
import type { TrendRowsQuery } from '../../src/store/queries/find-trend-rows.js';
import { findTrendRows } from '../../src/store/queries/find-trend-rows.js';
import { findIncidents } from '../../src/store/queries/find-incidents.js';
import type { IncidentFilter } from '../../src/store/queries/incident-where.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let store: Database;

/** 30,000 incidents in 20 clusters, of which one in a hundred is open; a small namespace has one in each of five clusters. */
beforeAll(async () => {
  database = await createTestDatabase();
  store = new Database({ url: database.url, pool: 2 });
  await database.pool.query(`
    INSERT INTO cluster (name, provider) SELECT 'c' || i, 'tke' FROM generate_series(1, 20) i;
    INSERT INTO incident (cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, severity,
      status, occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order)
    SELECT c.id, 'p/' || i % 50, 'Pod/a/' || i, 'Pod', CASE WHEN i = 1 AND c.id <= 5 THEN 'small' ELSE 'a' END, 'n' || i, 0, 'tke', 'error', CASE WHEN i % 100 = 0 THEN 'open' ELSE 'resolved' END, 1, 1, 1,
      now() - i * interval '1 minute', now() - i * interval '1 second', '{}', '' FROM cluster c, generate_series(1, 1500) i;
    INSERT INTO episode (incident_id, started_at, ended_at) SELECT id, first_seen_at, last_seen_at FROM incident WHERE status = 'resolved';
    ANALYZE`);
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

/** How many rows of incidents the database looked at for a page of 20. */
async function rowsRead(
  filter: IncidentFilter,
  by: 'lastSeenAt' | 'firstSeenAt' = 'lastSeenAt',
  after?: { at: number; id: string },
): Promise<number> {
  return rowsReadBy((spy) => findIncidents(spy, { filter, scope: EVERYTHING, order: { by, descending: true }, limit: 21, after }));
}

/** How many rows of a table the database looked at for a statement. */
async function rowsReadBy(ask: (database: Database) => Promise<unknown>, table = 'incident'): Promise<number> {
  return readBy(await planOf(ask), table);
}

async function planOf(ask: (database: Database) => Promise<unknown>): Promise<PlanNode> {
  let sent: [string, unknown[]] = ['', []];
  const spy = { rows: async (sql: string, ...params: unknown[]) => ((sent = [sql, params]), []) };
  await ask(spy as unknown as Database);
  const [{ 'QUERY PLAN': plan }] = (await store.rows(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sent[0]}`, ...sent[1])) as [
    { 'QUERY PLAN': [{ Plan: PlanNode }] },
  ];
  return plan[0].Plan;
}

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Node Type': string;
  /** Of it and all below. */
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

function readBy(node: PlanNode, table: string): number {
  const own = node['Relation Name'] === table ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, inner) => sum + readBy(inner, table), 0);
}

describe('a page of incidents', () => {
  it.each<[string, IncidentFilter, number]>([
    ['of all', {}, 21],
    ['of one cluster', { clusters: ['c7'] }, 21],
    ['of one problem', { problems: ['p/3'] }, 21],
    ['of those that are open', { statuses: ['open', 'acknowledged'] }, 21],
    ['about one object', { subject: { kind: 'Pod', namespace: 'a', name: 'n77' } }, 40],
  ])('%s is read off an index', async (_name, filter, most) => {
    expect(await rowsRead(filter)).toBeLessThanOrEqual(most);
  });

  it('is as cheap far down the list, in either order', async () => {
    const after = { at: Date.now() - 1_000_000, id: '80000000-0000-4000-8000-000000000000' };
    expect(await rowsRead({}, 'lastSeenAt', after)).toBeLessThanOrEqual(21);
    expect(await rowsRead({ clusters: ['c3'] }, 'lastSeenAt', after)).toBeLessThanOrEqual(21);
    expect(await rowsRead({}, 'firstSeenAt', after)).toBeLessThanOrEqual(21);
  });
});

describe('the history of a namespace', () => {
  it('looks at its incidents only', async () => {
    const asked = { filter: { namespaces: ['small'] }, scope: EVERYTHING, from: 0, to: 1 };
    for (const ask of [findSeen, findClustersSeen]) {
      expect(await ask(store, asked)).toHaveLength(5);
      const plan = await planOf((spy) => ask(spy, asked));
      // Another index has the namespace in it, and would be walked through from end to end.
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThanOrEqual(25);
    }
  });
});

describe('a trend by status', () => {
  it('looks at the episodes of its range only', async () => {
    const now = Date.now();
    const asked: TrendRowsQuery = {
      filter: {},
      scope: EVERYTHING,
      edges: [now - 3_660_000, now - 3_000_000],
      dimensions: ['status'],
      facts: [],
    };
    // In these eleven minutes one episode of each cluster began every minute, and none ended.
    expect(await rowsReadBy((spy) => findTrendRows(spy, asked), 'episode')).toBeLessThanOrEqual(300);
  });
});

describe('the counts of open incidents among the metrics', () => {
  it('read what is open, and nothing of what has ended', async () => {
    expect(await rowsReadBy((spy) => countBySeverity(spy, EVERYTHING, 1000))).toBeLessThanOrEqual(300);
    const counts = await countBySeverity(store, EVERYTHING, 3);
    expect(counts).toEqual(['c1', 'c10', 'c11'].map((cluster) => ({ cluster, severity: 'error', count: 15 })));
  });
});

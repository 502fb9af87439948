import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterRemovalRepository, WRITTEN_WITHOUT_CLUSTER } from '../../src/store/cluster-removal.repository.js';
import { Database } from '../../src/store/database.service.js';
import { Registrations } from '../../src/store/registrations.service.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let store: Database;
let removals: ClusterRemovalRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new Database({ url: database.url, pool: 2 });
  removals = new ClusterRemovalRepository(store, new Registrations());
});
afterAll(async () => {
  await store.onApplicationShutdown();
  await database.drop();
});

const query = async <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
  (await database.pool.query<T>(sql, values)).rows;

/** Every table, partitions for the divided ones, that has a column cluster_id, as the catalogue tells. */
const tables = async (): Promise<string[]> =>
  (
    await query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = 'cluster_id' AND NOT a.attisdropped ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** A value of each type that a column without a default may have. */
const VALUES: Record<string, string> = {
  text: `'x'`,
  integer: '1',
  bigint: '1',
  smallint: '1',
  boolean: 'false',
  'timestamp with time zone': 'now()',
  date: 'current_date',
  uuid: 'gen_random_uuid()',
  jsonb: `'{}'`,
  bytea: 'sha256(gen_random_uuid()::text::bytea)',
  'text[]': `'{}'`,
  'integer[]': `'{}'`,
  'double precision': '1',
};
/** Where a column takes certain values only. A new table may need an entry here. */
const CERTAIN: Record<string, Record<string, string>> = {
  incident: { severity: `'error'`, status: `'open'` },
  incident_audit: { kind: `'COMMENTED'` },
  // of a pattern that is nobody's
  undiagnosed_cell: { pattern_id: '987654' },
  watch_lease: { mode: `'stored'` },
  webhook_told: { state: `'told'` },
};

/** Puts a made-up row of a cluster into a table; foreign keys are not looked at. */
async function insert(table: string, cluster: number): Promise<void> {
  const columns = await query<{ name: string; type: string }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute a
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND a.attname <> 'cluster_id'`,
    [table],
  );
  const values = columns.map(({ name, type }) => {
    const value = CERTAIN[table]?.[name] ?? VALUES[type];
    if (value === undefined) throw new Error(`no value for ${table}.${name} of type ${type}: add one to VALUES`);
    return value;
  });
  const names = ['cluster_id', ...columns.map(({ name }) => name)].map((name) => `"${name}"`);
  const client = await database.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${[String(cluster), ...values].join(', ')})`);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

const counted = async (cluster: number): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const table of await tables())
    counts[table] = (await query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}" WHERE cluster_id = $1`, [cluster]))[0]!.n;
  return counts;
};
const register = async (name: string): Promise<number> =>
  (await query<{ id: number }>(`INSERT INTO cluster (name, provider) VALUES ($1, 'kubernetes') RETURNING id`, [name]))[0]!.id;

async function removeWhole(cluster: number): Promise<void> {
  await query('UPDATE cluster SET removing_at = now() WHERE id = $1', [cluster]);
  for (let step = await removals.step(cluster, 3); step !== 'gone'; step = await removals.step(cluster, 3)) expect(step).toBe('some');
}

describe('the data of one cluster', () => {
  it('is deleted from every table that has any, and no other cluster’s is', async () => {
    const [goes, stays] = [await register('goes'), await register('stays')];
    const all = await tables();
    for (const table of all) for (const cluster of [goes, stays]) await insert(table, cluster);
    const once = Object.fromEntries(all.map((table) => [table, 1]));
    expect(all).toEqual(
      expect.arrayContaining([
        'affected',
        'event_other',
        'cluster_minute',
        'rejected_input',
        'rollup_problem',
        'incident_change_other',
        'incident_audit',
        'undiagnosed_cell',
        'webhook_delivery',
      ]),
    );
    expect(await counted(goes)).toEqual(once);
    await query(`INSERT INTO rejected_input (cluster_name, fold, first_at, last_at, count, code, reason, format, bytes, address, user_agent, token, sample)
       SELECT n, n, now(), now(), 1, 'x', 'x', 'x', 1, 'x', 'x', 'x', 'x' FROM unnest(ARRAY['goes', 'unknown']) n`);

    await removeWhole(goes);
    expect(await counted(goes)).toEqual(Object.fromEntries(all.map((table) => [table, 0])));
    expect(await counted(stays)).toEqual(once);
    expect(await query('SELECT cluster_name AS name FROM rejected_input WHERE cluster_id IS NULL')).toEqual([{ name: 'unknown' }]);
  });

  it('is not left behind by writers that come after the removal', async () => {
    const [goes, stays] = [await register('left'), await register('right')];
    await removeWhole(goes);
    for (const table of await tables()) {
      if (!WRITTEN_WITHOUT_CLUSTER.some((name) => table === name || table.startsWith(`${name}_`))) continue;
      for (const cluster of [goes, stays]) await insert(table, cluster);
    }
    expect(await removals.sweep()).toBeGreaterThanOrEqual(WRITTEN_WITHOUT_CLUSTER.length);
    expect(Object.values(await counted(goes)).every((count) => count === 0)).toBe(true);
    expect(Object.values(await counted(stays)).filter((count) => count > 0).length).toBeGreaterThanOrEqual(WRITTEN_WITHOUT_CLUSTER.length);
  });

  it('is tied to its cluster in every table, by a foreign key or by who writes it', async () => {
    const untied = await query<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND a.attname = 'cluster_id' AND NOT a.attisdropped
         AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = 'cluster'::regclass AND k.confdeltype = 'c')
       ORDER BY 1`,
    );
    // Written only by transactions that hold the cluster's row, so that nothing comes after its removal.
    const heldByWriters = ['event', 'incident_audit', 'sighting', 'signal'];
    expect(untied.map(({ name }) => name)).toEqual([...WRITTEN_WITHOUT_CLUSTER, ...heldByWriters].toSorted());
  });
});

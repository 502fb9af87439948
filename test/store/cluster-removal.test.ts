import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterRemovalRepository } from '../../src/store/cluster-removal.repository.js';
import { findClusterTables } from '../../src/store/queries/find-cluster-tables.js';
import { Registrations } from '../../src/store/registrations.service.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let intake: TestIntake;
let removals: ClusterRemovalRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  removals = new ClusterRemovalRepository(intake.database, new Registrations());
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

async function filled(name: string): Promise<number> {
  const id = await intake.cluster(name);
  await intake.push(id, sampleDeliveries(300), Date.now());
  return id;
}

/** Rows of a cluster, table by table. */
async function rowsOf(id: number): Promise<number> {
  let sum = 0;
  for (const table of await findClusterTables(database.pool)) {
    sum += (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE cluster_id = $1`, [id])).rows[0]!.n;
  }
  return sum;
}

const close = (id: number): Promise<unknown> => database.pool.query('UPDATE cluster SET removing_at = now() WHERE id = $1', [id]);

describe('ClusterRemovalRepository', () => {
  it('finds every table that has clusters, those that others hang on last', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN information_schema.columns i ON i.table_name = c.relname AND i.table_schema = 'public'
       WHERE i.column_name = 'cluster_id' AND c.relkind = 'r' ORDER BY 1`,
    );
    const found = await findClusterTables(database.pool);
    expect(found.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    expect(found).toEqual(expect.arrayContaining(['event_other', 'sighting_other', 'signal_other']));
    expect(found.slice(-2)).toEqual(['affected', 'incident']);
  });

  it('works in steps of bounded size, whoever takes them, and the last one takes the registration', async () => {
    const [id, other] = [await filled('steps'), await filled('beside')];
    const [before, beside] = [await rowsOf(id), await rowsOf(other)];
    expect(before).toBeGreaterThan(600);
    await close(id);
    expect(await removals.waiting()).toEqual([{ id, name: 'steps' }]);
    let left = before;
    for (let steps = 0; ; steps++) {
      // A repository of its own for each step: whoever goes on knows nothing but what the database tells.
      const step = await new ClusterRemovalRepository(intake.database, new Registrations()).step(id, 100);
      const now = await rowsOf(id);
      expect(left - now).toBeLessThanOrEqual(100);
      left = now;
      if (step === 'gone') break;
      expect(steps).toBeLessThan(before);
    }
    expect([left, await rowsOf(other)]).toEqual([0, beside]);
    expect((await database.pool.query('SELECT name FROM cluster ORDER BY name')).rows).toEqual([{ name: 'beside' }]);
    expect(
      (await database.pool.query('SELECT 1 FROM episode e WHERE NOT EXISTS (SELECT FROM incident i WHERE i.id = e.incident_id)')).rows,
    ).toEqual([]);
    expect(await removals.waiting()).toEqual([]);
    expect(await removals.step(id)).toBe('gone');
  });

  it('lets no writer in while it is at it, and no second one', async () => {
    const id = await filled('closed');
    await close(id);
    await expect(intake.push(id, sampleDeliveries(5), Date.now())).rejects.toMatchObject({ code: 'CLUSTER_GONE' });
    await expect(intake.settle(id, Date.now())).rejects.toMatchObject({ code: 'CLUSTER_GONE' });
    expect(await intake.repository.clustersWithQuiet(Date.now() + 1e12)).not.toContain(id);
    const steps = await Promise.all([removals.step(id, 50), removals.step(id, 50), removals.step(id, 50)]);
    expect(steps.every((step) => step === 'some' || step === 'busy')).toBe(true);
    expect(steps).toContain('some');
  });

  it('touches no cluster that is not to be removed', async () => {
    const id = await filled('kept');
    const before = await rowsOf(id);
    expect(await removals.step(id)).toBe('busy');
    expect(await rowsOf(id)).toBe(before);
  });
});

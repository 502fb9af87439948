import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabaseBefore, type DatabaseBefore } from '../support/database-before.js';

const OWN = '20261121040000_widen_rollups';
const EVERYWHERE = '20261122010000_sum_everywhere';
const BY_CLUSTER = '20261122050000_sum_by_cluster';

describe('the migration of the roll-ups', () => {
  let database: DatabaseBefore;

  /** A database of the version before, with two incidents; of the first hour retention has dropped the sightings. */
  beforeAll(async () => {
    database = await createDatabaseBefore(OWN);
    await database.pool.query(`
      INSERT INTO cluster (name, provider) VALUES ('blue', 'tke'), ('green', 'tke');
      INSERT INTO incident (id, cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, severity, status,
        occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order)
      SELECT ('00000000-0000-4000-8000-00000000000' || c.id)::uuid, c.id, 'p/a/' || c.name, 'Pod/shop/web', 'Pod', 'shop', 'web', 0, 'tke', 'error', 'open',
        9, 1, 1, '2026-03-01T00:00:00Z', '2026-03-02T10:50:00Z', '{}', '' FROM cluster c;
      INSERT INTO episode
      SELECT i.id, e.started_at, e.ended_at, NULL FROM incident i,
        (VALUES ('2026-03-01T00:01:00Z'::timestamptz, '2026-03-01T00:31:00Z'::timestamptz), ('2026-03-02T10:02:00Z', NULL)) e(started_at, ended_at);
      INSERT INTO affected (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects, settle_ms,
        occurrences, first_at, started_at, last_at)
      SELECT i.cluster_id, i.id, 'Pod/shop/web', '', i.problem_id, 'Pod', 'shop', 'web', 'Pod', 0, '{}', 0, 9, now(), now(), now() FROM incident i;
      INSERT INTO sighting
      SELECT s.at, a.cluster_id, 'e', s.count, a.id, s.growth, s.at FROM affected a,
        (VALUES ('2026-03-02T10:02:00Z'::timestamptz, 1, 1), ('2026-03-02T10:14:59Z', 3, 2), ('2026-03-02T10:46:00Z', 4, 1)) s(at, count, growth);
      INSERT INTO rollup_hour
      SELECT a.cluster_id, r.hour, 'shop', a.problem_id, r.severity, r.occurrences FROM affected a,
        (VALUES ('2026-03-01T00:00:00Z'::timestamptz, 'error', 5), ('2026-03-02T10:00:00Z', 'error', 3), ('2026-03-02T10:00:00Z', 'info', 1)) r(hour, severity, occurrences)`);
    await database.apply(OWN);
  });
  afterAll(async () => {
    await database.drop();
  });

  const cells = async (table: string, key: string, minutes: number): Promise<unknown[]> =>
    (
      await database.pool.query<{ cell: unknown[] }>(
        `SELECT json_build_array(${key}, to_char(at AT TIME ZONE 'UTC', 'DD HH24:MI'), occurrences, opened, reopened, resolved, resolve_ms) AS cell
         FROM ${table} WHERE minutes = ${minutes} ORDER BY ${key}, at`,
      )
    ).rows.map(({ cell }) => cell);

  it('fills quarters of hours from sightings and episodes, and the first quarter with what only the hour tells', async () => {
    const of = (problem: string) => [
      [problem, '01 00:00', 5, 1, 0, 0, 0],
      [problem, '01 00:30', 0, 0, 0, 1, 1_800_000],
      [problem, '02 10:00', 3, 0, 1, 0, 0],
      [problem, '02 10:45', 1, 0, 0, 0, 0],
    ];
    const quarters = (await cells('rollup_namespace_problem', 'problem_id', 15)) as [string, string][];
    const byTime = quarters.sort((a, b) => (a[0] + a[1] < b[0] + b[1] ? -1 : 1));
    expect(byTime).toEqual([...of('p/a/blue'), ...of('p/a/green')]);
  });

  it('sums them up by hour and day, by problem, namespace and cluster', async () => {
    const blue = [
      ['p/a/blue', '01 00:00', 5, 1, 0, 1, 1_800_000],
      ['p/a/blue', '02 00:00', 4, 0, 1, 0, 0],
    ];
    expect((await cells('rollup_problem', 'problem_id', 1440)).slice(0, 2)).toEqual(blue);
    expect(((await cells('rollup_problem', 'problem_id', 60)) as unknown[][]).map((cell) => cell[2])).toEqual([5, 4, 5, 4]);
    expect(await cells('rollup_namespace', `namespace || cluster_id`, 1440)).toHaveLength(4);
    expect(((await cells('rollup_cluster', 'cluster_id', 1440)) as unknown[][]).map((cell) => cell.slice(2))).toEqual([
      [5, 1, 0, 1, 1_800_000],
      [4, 0, 1, 0, 0],
      [5, 1, 0, 1, 1_800_000],
      [4, 0, 1, 0, 0],
    ]);
    const { rows } = await database.pool.query(
      `SELECT DISTINCT sum(occurrences)::int AS sum FROM (
         SELECT 1 AS t, minutes, occurrences FROM rollup_namespace_problem UNION ALL SELECT 2, minutes, occurrences FROM rollup_problem
         UNION ALL SELECT 3, minutes, occurrences FROM rollup_namespace UNION ALL SELECT 4, minutes, occurrences FROM rollup_cluster) r GROUP BY t, minutes`,
    );
    expect(rows).toEqual([{ sum: 18 }]);
  });

  it('is followed by the sums over all clusters, without those of a cluster that is being removed', async () => {
    await database.pool.query(`
      INSERT INTO cluster (name, provider, removing_at) VALUES ('gone', 'tke', now());
      INSERT INTO rollup_problem
      SELECT c.id, r.minutes, r.at, r.problem_id, r.occurrences, r.opened, r.reopened, r.resolved, r.resolve_ms
      FROM rollup_problem r, cluster c WHERE r.problem_id = 'p/a/blue' AND c.name IN ('green', 'gone')`);
    await database.apply(EVERYWHERE);
    const blue = (await cells('rollup_everywhere', 'problem_id', 1440)).slice(0, 2);
    expect(blue).toEqual([
      ['p/a/blue', '01 00:00', 10, 2, 0, 2, 3_600_000],
      ['p/a/blue', '02 00:00', 8, 0, 2, 0, 0],
    ]);
    const green = ((await cells('rollup_everywhere', 'problem_id', 15)) as unknown[][]).slice(-4).map((cell) => cell[2]);
    expect(green).toEqual([5, 0, 3, 1]);
  });

  it('is followed by the cells of all clusters in one row', async () => {
    await database.apply(BY_CLUSTER);
    const { rows } = await database.pool.query(
      `SELECT to_char(at AT TIME ZONE 'UTC', 'DD') AS day, (SELECT array_agg(c.name ORDER BY n) FROM unnest(cluster_ids) WITH ORDINALITY AS u(id, n) JOIN cluster c USING (id)) AS clusters,
         occurrences::text, opened, reopened, resolved, resolve_ms::text
       FROM rollup_by_cluster WHERE minutes = 1440 AND problem_id = 'p/a/blue' ORDER BY at`,
    );
    expect(rows).toEqual([
      {
        day: '01',
        clusters: ['blue', 'green'],
        occurrences: '{5,5}',
        opened: [1, 1],
        reopened: [0, 0],
        resolved: [1, 1],
        resolve_ms: '{1800000,1800000}',
      },
      {
        day: '02',
        clusters: ['blue', 'green'],
        occurrences: '{4,4}',
        opened: [0, 0],
        reopened: [1, 1],
        resolved: [0, 0],
        resolve_ms: '{0,0}',
      },
    ]);
  });
});

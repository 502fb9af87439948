import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseBefore, type DatabaseBefore } from '../support/database-before.js';

const OWN = '20261122030000_count_objects_once';

let database: DatabaseBefore;

beforeAll(async () => {
  database = await createDatabaseBefore(OWN);
});
afterAll(async () => {
  await database.drop();
});

it('counts the objects of incidents that there are once each, and tells nobody of it', async () => {
  await database.pool.query(`
    INSERT INTO cluster (name, provider) VALUES ('blue', 'tke');
    INSERT INTO incident (cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, severity, status,
      occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order, forgotten_count)
    SELECT c.id, 'p/a/b', subject, 'Pod', 'shop', subject, 0, 'tke', 'error', 'open', 9, counted, 1, now(), now(), '{}', '', forgotten
    FROM cluster c, (VALUES ('twice', 5, 2), ('gone', 3, 3)) v(subject, counted, forgotten);
    INSERT INTO affected (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects, settle_ms,
      occurrences, first_at, started_at, last_at)
    SELECT i.cluster_id, i.id, 'Pod/shop/web', container, i.problem_id, 'Pod', 'shop', 'web', 'Pod', 0, '{}', 0, 3, now(), now(), now()
    FROM incident i, (VALUES ('app'), ('proxy'), ('proxy@alert')) v(container) WHERE i.subject_key = 'twice'`);
  await database.apply(OWN);
  const { rows } = await database.pool.query('SELECT subject_key, affected_count FROM incident ORDER BY 1');
  expect(rows).toEqual([
    { subject_key: 'gone', affected_count: 3 },
    { subject_key: 'twice', affected_count: 3 },
  ]);
  expect((await database.pool.query('SELECT FROM incident_growth')).rowCount).toBe(0);
});

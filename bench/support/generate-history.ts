import type pg from 'pg';
import { ROLLUP_MEASURES } from '../../src/store/rollup-measures.js';

/** How much history to make. */
export interface HistorySize {
  /** Sightings, each of which stands for one occurrence. */
  occurrences: number;
  clusters: number;
  days: number;
  /** Ids of the problems, as many as there are to be. */
  problems: readonly string[];
  /** Start of the first day, ISO. */
  start: string;
}

/** Occurrences of one episode: a failure repeats itself. */
const PER_EPISODE = 50;
const NAMESPACES = 20;

/** A number from 0 up to 1 that depends only on `n` and on which draw it is. */
const draw = (n: string, which: number): string => `((hashint8extended(${n}, ${which}) & 1048575) / 1048576.0)`;

/**
 * Fills a migrated, empty database with the same history on every run: incidents of all problems in all clusters, some problems
 * and clusters much more often than others, their episodes over all days, and sightings inside the episodes. The roll-ups are
 * counted from those rows by `recountRollups`. The raw data lies in partitions of a day, as intake leaves it.
 */
export async function generateHistory(client: pg.Client, { occurrences, clusters, days, problems, start }: HistorySize): Promise<void> {
  const episodes = Math.ceil(occurrences / PER_EPISODE);
  const incidents = Math.min(20_000, episodes);
  await client.query(`INSERT INTO cluster (name, provider, region) SELECT 'bench-' || n, (ARRAY['kubernetes', 'tke', 'ack'])[1 + n % 3], 'region-' || n % 5
    FROM generate_series(1, ${clusters}) n`);
  await client.query('CREATE TABLE bench_problem (number serial PRIMARY KEY, id text NOT NULL)');
  await client.query('INSERT INTO bench_problem (id) SELECT unnest($1::text[])', [problems]);
  for (let day = 0; day <= days; day++) {
    const [from, to] = [day, day + 1].map((n) => new Date(Date.parse(start) + n * 86_400_000).toISOString());
    await client.query(
      `CREATE TABLE IF NOT EXISTS sighting_${from!.slice(0, 10).replaceAll('-', '')} PARTITION OF sighting FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
  await client.query(
    `INSERT INTO incident (id, cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, severity, status,
       occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order)
     SELECT lpad(to_hex(n), 32, '0')::uuid, c.id, p.id, 'workload/ns-' || s.ns || '/app-' || n, 'Deployment', 'ns-' || s.ns, 'app-' || n, 2, 'kubernetes',
       'error', 'resolved', 0, 1, 0, $1, $1, '{}', ''
     FROM generate_series(1, ${incidents}::bigint) n
       CROSS JOIN LATERAL (SELECT floor(${draw('n', 1)} * ${NAMESPACES})::int AS ns) s
       JOIN bench_problem p ON p.number = 1 + floor(power(${draw('n', 2)}, 2) * ${problems.length})::int
       JOIN cluster c ON c.name = 'bench-' || 1 + floor(power(${draw('n', 3)}, 1.3) * ${clusters})::int`,
    [start],
  );
  await client.query(
    `INSERT INTO affected (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects, settle_ms,
       occurrences, first_at, started_at, last_at)
     SELECT cluster_id, id, 'Pod/' || subject_namespace || '/' || subject_name, '', problem_id, 'Pod', subject_namespace, subject_name, 'Deployment', 2, '{}', 0,
       0, $1, $1, $1 FROM incident`,
    [start],
  );
  // The episodes of an incident lie one after the other, each in a slice of the time of its own.
  await client.query(
    `CREATE TABLE bench_episode AS
     SELECT n, i.id AS incident_id, a.id AS affected_id, i.cluster_id, $1::timestamptz + t.started * interval '1 second' AS started_at,
       t.seconds
     FROM generate_series(0, ${episodes - 1}::bigint) n
       CROSS JOIN LATERAL (SELECT ceil(${episodes}::float8 / ${incidents}) AS slices) k
       CROSS JOIN LATERAL (SELECT ${days} * 86400 / k.slices AS slice) w
       CROSS JOIN LATERAL (
         SELECT floor((n / ${incidents} + ${draw('n', 4)} * 0.5) * w.slice) AS started, floor(60 + power(${draw('n', 5)}, 3) * LEAST(w.slice * 0.4, 43200)) AS seconds
       ) t
       JOIN incident i ON i.id = lpad(to_hex(1 + n % ${incidents}), 32, '0')::uuid JOIN affected a ON a.incident_id = i.id`,
    [start],
  );
  await client.query(
    `INSERT INTO episode SELECT incident_id, started_at, started_at + seconds * interval '1 second', 'SUCCESS_EVENT' FROM bench_episode`,
  );
  await client.query(
    `INSERT INTO sighting (at, cluster_id, uid, count, affected_id, growth, since)
     SELECT t.at, e.cluster_id, 'e' || e.n, g, e.affected_id, 1, t.at
     FROM bench_episode e CROSS JOIN generate_series(1, ${PER_EPISODE}) g
       CROSS JOIN LATERAL (SELECT e.started_at + floor(e.seconds * (g - 1) / ${PER_EPISODE}.0) * interval '1 second' AS at) t
     ORDER BY e.started_at LIMIT ${occurrences}`,
  );
  await client.query(
    `UPDATE incident i SET first_seen_at = s.first_at, last_seen_at = s.last_at, occurrences = s.occurrences, resolved_at = e.ended_at, resolved_by = 'SUCCESS_EVENT'
     FROM (SELECT a.incident_id, min(s.at) AS first_at, max(s.at) AS last_at, sum(s.growth) AS occurrences
           FROM sighting s JOIN affected a ON a.id = s.affected_id GROUP BY a.incident_id) s
       JOIN (SELECT incident_id, max(ended_at) AS ended_at FROM episode GROUP BY incident_id) e USING (incident_id)
     WHERE i.id = s.incident_id`,
  );
  await recountRollups(client);
  await client.query('DROP TABLE bench_episode');
  await client.query('VACUUM ANALYZE');
  // What was written is on the disk before anything is timed.
  await client.query('CHECKPOINT');
}

const SUMS = ROLLUP_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ');

/**
 * Counts the roll-ups of an empty set of them anew from sightings and episodes. Cells lie in the order of their first happening, as
 * intake leaves them.
 */
export async function recountRollups(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TEMPORARY TABLE quarter AS
     SELECT cluster_id, date_bin('15 minutes', at, 'epoch') AS at, namespace, problem_id, ${SUMS}
     FROM (
       SELECT a.cluster_id, s.at, a.namespace, a.problem_id, s.growth AS occurrences, 0 AS opened, 0 AS reopened, 0 AS resolved, 0::bigint AS resolve_ms
       FROM sighting s JOIN affected a ON a.id = s.affected_id WHERE s.growth > 0
       UNION ALL
       SELECT i.cluster_id, e.started_at, i.subject_namespace, i.problem_id, 0, (e.number = 1)::integer, (e.number > 1)::integer, 0, 0
       FROM (SELECT *, row_number() OVER (PARTITION BY incident_id ORDER BY started_at) AS number FROM episode) e JOIN incident i ON i.id = e.incident_id
       UNION ALL
       SELECT i.cluster_id, e.ended_at, i.subject_namespace, i.problem_id, 0, 0, 0, 1, round(extract(epoch FROM e.ended_at - e.started_at) * 1000)
       FROM episode e JOIN incident i ON i.id = e.incident_id WHERE e.ended_at IS NOT NULL
     ) happened GROUP BY 1, 2, 3, 4`,
  );
  for (const [table, dimensions] of [
    ['rollup_namespace_problem', ['cluster_id', 'namespace', 'problem_id']],
    ['rollup_problem', ['cluster_id', 'problem_id']],
    ['rollup_namespace', ['cluster_id', 'namespace']],
    ['rollup_cluster', ['cluster_id']],
    ['rollup_everywhere', ['problem_id']],
  ] as const) {
    const key = ['minutes', 'at', ...dimensions].join(', ');
    await client.query(
      `INSERT INTO ${table} (${key}, ${ROLLUP_MEASURES.join(', ')})
       SELECT m.minutes, date_bin(m.minutes * interval '1 minute', q.at, 'epoch') AS cell, ${dimensions.join(', ')}, ${SUMS}
       FROM quarter q, (VALUES (15::smallint), (60), (1440)) m(minutes)
       GROUP BY m.minutes, cell, ${dimensions.join(', ')} ORDER BY min(q.at), m.minutes`,
    );
  }
  const gathered = ['cluster_id', ...ROLLUP_MEASURES].map((name) => `array_agg(${name} ORDER BY cluster_id)`).join(', ');
  await client.query(
    `INSERT INTO rollup_by_cluster SELECT problem_id, minutes, at, ${gathered} FROM rollup_problem GROUP BY 1, 2, 3 ORDER BY at, minutes`,
  );
  await client.query('DROP TABLE quarter');
}

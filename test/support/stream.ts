import { Database } from '../../src/store/database.service.js';
import { ms } from '../../src/store/rows.js';
import { IntakeRepository } from '../../src/store/intake.repository.js';
import { applyBatch } from '../../src/pipeline/apply-batch.js';
import { resolveQuiet } from '../../src/pipeline/resolve-quiet.js';
import type { Delivery } from '../../src/incidents/delivery.js';

/** A cell of a roll-up. `at` in milliseconds since the epoch. */
export interface RecountedCell {
  kind: string;
  minutes: number;
  at: number;
  problem: string;
  namespace: string;
  occurrences: number;
  opened: number;
  reopened: number;
  resolved: number;
  resolve_ms: number;
}

/** The intake path below HTTP, on a clock of the test's own. */
export class TestIntake {
  readonly database: Database;
  readonly repository: IntakeRepository;

  constructor(url: string) {
    this.database = new Database({ url, pool: 4 });
    this.repository = new IntakeRepository(this.database);
  }

  /** Registers a cluster and returns its id. */
  async cluster(name: string, provider = 'kubernetes'): Promise<number> {
    const [row] = await this.database.rows<{ id: number }>(
      'INSERT INTO cluster (name, provider) VALUES ($1, $2) RETURNING id',
      name,
      provider,
    );
    return row!.id;
  }

  /** Applies one batch at `now` and tells which deliveries were new. */
  async push(clusterId: number, deliveries: readonly Delivery[], now: number): Promise<boolean[]> {
    const { accepted } = await this.repository.transaction(clusterId, (transaction) => applyBatch(transaction, deliveries, now));
    return accepted;
  }

  /** Ends what silence has ended by `now`. */
  async settle(clusterId: number, now: number): Promise<void> {
    await this.repository.transaction(clusterId, (transaction) => resolveQuiet(transaction, 10_000, now), { heard: false });
  }

  /** Everything that a user could see of a cluster's incidents, without row ids. */
  async state(clusterId: number): Promise<IncidentState[]> {
    return this.database.rows<IncidentState>(
      `SELECT i.problem_id AS problem, i.subject_kind || '/' || i.subject_namespace || '/' || i.subject_name AS subject, i.status, i.severity,
         i.occurrences::float8 AS occurrences, i.affected_count AS affected, i.open_count AS open,
         ${ms('i.first_seen_at')} AS first, ${ms('i.last_seen_at')} AS last, ${ms('i.resolved_at')} AS "resolvedAt", i.resolved_by AS "resolvedBy",
         i.diagnosis,
         COALESCE((SELECT json_agg(json_build_object('start', ${ms('e.started_at')}, 'end', ${ms('e.ended_at')}, 'by', e.resolution) ORDER BY e.started_at)
           FROM episode e WHERE e.incident_id = i.id), '[]') AS episodes,
         COALESCE((SELECT json_agg(json_build_object('object', a.object_key, 'container', a.container, 'occurrences', a.occurrences, 'last', ${ms('a.last_at')},
             'ended', ${ms('a.ended_at')}) ORDER BY a.object_key COLLATE "C", a.container COLLATE "C") FROM affected a WHERE a.incident_id = i.id), '[]') AS objects,
         COALESCE((SELECT json_agg(json_build_object('uid', v.uid, 'count', v.count, 'first', ${ms('v.first_at')}, 'last', ${ms('v.last_at')}, 'message', v.message) ORDER BY v.uid COLLATE "C")
           FROM event v WHERE v.incident_id = i.id), '[]') AS events
       FROM incident i WHERE i.cluster_id = $1 ORDER BY i.problem_id COLLATE "C", i.subject_key COLLATE "C"`,
      clusterId,
    );
  }

  /** All roll-ups of a cluster, without rows of nothing. */
  async rollups(clusterId: number): Promise<unknown[]> {
    return this.database.rows(`SELECT * FROM (${ALL_ROLLUPS}) r ${IN_ORDER}`, clusterId);
  }

  /** What the roll-ups have to be, counted anew from sightings and episodes. */
  async recount(clusterId: number): Promise<RecountedCell[]> {
    return this.database.rows<RecountedCell & Record<string, unknown>>(`SELECT * FROM (${RECOUNT}) r ${IN_ORDER}`, clusterId);
  }

  /** Quarters of an hour by namespace and problem, counted so. */
  async recountQuarters(clusterId: number): Promise<RecountedCell[]> {
    return (await this.recount(clusterId)).filter(({ kind, minutes }) => kind === 'both' && minutes === 15);
  }

  close(): Promise<void> {
    return this.database.onApplicationShutdown();
  }
}

const MEASURES = 'occurrences::float8, opened::float8, reopened::float8, resolved::float8, resolve_ms::float8';
const IN_ORDER = 'ORDER BY kind, minutes, at, namespace COLLATE "C", problem COLLATE "C"';
const ROLLUPS = [
  { kind: 'both', table: 'rollup_namespace_problem', namespace: 'namespace', problem: 'problem_id' },
  { kind: 'problem', table: 'rollup_problem', namespace: "''", problem: 'problem_id' },
  { kind: 'namespace', table: 'rollup_namespace', namespace: 'namespace', problem: "''" },
  { kind: 'cluster', table: 'rollup_cluster', namespace: "''", problem: "''" },
];

const ALL_ROLLUPS = ROLLUPS.map(
  ({ kind, table, namespace, problem }) =>
    `SELECT '${kind}' AS kind, minutes, ${ms('at')} AS at, ${namespace} AS namespace, ${problem} AS problem, ${MEASURES} FROM ${table}
     WHERE cluster_id = $1 AND (occurrences, opened, reopened, resolved, resolve_ms) <> (0, 0, 0, 0, 0)`,
).join(' UNION ALL ');

const RECOUNT = `WITH happened AS (
    SELECT s.at, a.namespace, a.problem_id, s.growth AS occurrences, 0 AS opened, 0 AS reopened, 0 AS resolved, 0 AS resolve_ms
    FROM sighting s JOIN affected a ON a.id = s.affected_id WHERE s.cluster_id = $1 AND s.growth > 0
    UNION ALL
    SELECT e.started_at, i.subject_namespace, i.problem_id, 0, (NOT later)::int, later::int, 0, 0
    FROM incident i JOIN episode e ON e.incident_id = i.id
      CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM episode o WHERE o.incident_id = i.id AND o.started_at < e.started_at) AS later) l
    WHERE i.cluster_id = $1
    UNION ALL
    SELECT e.ended_at, i.subject_namespace, i.problem_id, 0, 0, 0, 1, extract(epoch FROM e.ended_at - e.started_at) * 1000
    FROM incident i JOIN episode e ON e.incident_id = i.id WHERE i.cluster_id = $1 AND e.ended_at IS NOT NULL
  ) ${ROLLUPS.map(
    ({ kind, namespace, problem }) =>
      `SELECT '${kind}' AS kind, m.minutes::smallint AS minutes, extract(epoch FROM date_bin(m.minutes * interval '1 minute', at, 'epoch'))::float8 * 1000 AS at,
         ${namespace} AS namespace, ${problem} AS problem, sum(occurrences)::float8 AS occurrences, sum(opened)::float8 AS opened,
         sum(reopened)::float8 AS reopened, sum(resolved)::float8 AS resolved, sum(resolve_ms)::float8 AS resolve_ms
       FROM happened, (VALUES (15), (60), (1440)) m(minutes) GROUP BY 1, 2, 3, 4, 5`,
  ).join(' UNION ALL ')}`;

/** What `TestIntake.state` shows of an incident; times in milliseconds since the epoch. */
export interface IncidentState {
  problem: string;
  subject: string;
  status: string;
  severity: string;
  occurrences: number;
  affected: number;
  open: number;
  first: number;
  last: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  diagnosis: unknown;
  episodes: { start: number; end: number | null; by: string | null }[];
  objects: { object: string; container: string; occurrences: number; last: number; ended: number | null }[];
  events: { uid: string; count: number; first: number; last: number; message: string }[];
}

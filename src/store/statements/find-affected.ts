import type { Affected } from '../../incidents/affected.js';
import type { Resolution } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** An affected object as stored, with the incident it belongs to. */
export interface StoredAffected extends Affected {
  /** Row id; a bigint as text. */
  id: string;
  incidentId: string;
}

const COLUMNS = `a.id, a.incident_id, i.subject_key, a.subject_kind, i.subject_namespace, i.subject_name, a.object_key, a.container, a.problem_id, a.kind, a.namespace, a.name,
  a.expects, a.quiet_ms::float8, a.settle_ms::float8, a.subject_rank, a.occurrences::float8, a.resolution,
  ${ms('a.first_at')} AS first_at, ${ms('a.started_at')} AS started_at, ${ms('a.last_at')} AS last_at, ${ms('a.ended_at')} AS ended_at`;

interface Row {
  id: string;
  incident_id: string;
  subject_key: string;
  subject_kind: string;
  subject_namespace: string;
  subject_name: string;
  object_key: string;
  container: string;
  problem_id: string;
  kind: string;
  namespace: string;
  name: string;
  expects: string[];
  quiet_ms: number | null;
  settle_ms: number;
  subject_rank: number;
  occurrences: number;
  resolution: Resolution | null;
  first_at: number;
  started_at: number;
  last_at: number;
  ended_at: number | null;
}

/** Finds everything that is affected among some objects. OFFSET 0 as in `findEventKeys`. */
export async function findAffected(connection: Connection, clusterId: number, objectKeys: readonly string[]): Promise<StoredAffected[]> {
  const found = await rows<Row>(
    connection,
    `SELECT ${COLUMNS}
     FROM json_array_elements_text($2::json) AS o(object_key)
     CROSS JOIN LATERAL (SELECT * FROM affected WHERE cluster_id = $1 AND affected.object_key = o.object_key OFFSET 0) a
     CROSS JOIN LATERAL (SELECT * FROM incident WHERE id = a.incident_id OFFSET 0) i`,
    clusterId,
    JSON.stringify(objectKeys),
  );
  return found.map(toAffected);
}

/** Finds at most `limit` affected objects of a cluster whose silence has ended their failure by `now`. */
export async function findQuiet(connection: Connection, clusterId: number, now: number, limit: number): Promise<StoredAffected[]> {
  const found = await rows<Row>(
    connection,
    `SELECT ${COLUMNS}
     FROM affected a JOIN incident i ON i.id = a.incident_id
     WHERE a.cluster_id = $1 AND a.quiet_at <= to_timestamp($2::float8 / 1000.0)
     ORDER BY a.quiet_at LIMIT $3`,
    clusterId,
    now,
    limit,
  );
  return found.map(toAffected);
}

/** Finds the affected objects of an incident whose latest period reaches to a moment or lies behind it; milliseconds since the epoch. */
export async function findReaching(connection: Connection, incidentId: string, at: number): Promise<StoredAffected[]> {
  const found = await rows<Row>(
    connection,
    `SELECT ${COLUMNS}
     FROM (SELECT * FROM affected WHERE incident_id = $1 AND ended_at IS NULL
           UNION ALL SELECT * FROM affected WHERE incident_id = $1 AND ended_at >= to_timestamp($2::float8 / 1000.0)) a
     JOIN incident i ON i.id = a.incident_id`,
    incidentId,
    at,
  );
  return found.map(toAffected);
}

function toAffected(row: Row): StoredAffected {
  return {
    id: row.id,
    incidentId: row.incident_id,
    subject: {
      key: row.subject_key,
      kind: row.subject_kind,
      namespace: row.subject_namespace,
      name: row.subject_name,
      rank: row.subject_rank,
    },
    objectKey: row.object_key,
    container: row.container,
    problemId: row.problem_id,
    kind: row.kind,
    namespace: row.namespace,
    name: row.name,
    expects: row.expects,
    ending: { quiet: row.quiet_ms, settle: row.settle_ms },
    occurrences: row.occurrences,
    firstAt: row.first_at,
    current: { startedAt: row.started_at, lastAt: row.last_at, endedAt: row.ended_at, resolution: row.resolution },
  };
}

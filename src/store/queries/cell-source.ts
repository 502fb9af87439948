import type { Scope } from '../../platform/scope.js';
import { ROLLUP_MEASURES } from '../rollup-measures.js';
import type { CellMinutes, CellPlan } from './cell-pieces.js';
import { planCells } from './cell-pieces.js';
import type { HappeningFilter, Put } from './happening-filter.js';
import { happeningWhere, restrictsCluster, restrictsNamespace } from './happening-filter.js';

/** What is read and how fine. */
export interface CellQuery {
  filter: HappeningFilter;
  scope: Scope;
  /** Edges of the buckets, ascending, milliseconds since the epoch. */
  edges: readonly number[];
  /** Dimensions that the answer tells apart. */
  dimensions: readonly Dimension[];
  /** Whether to read also what came after the last bucket, as one more, and what is open now: from both follows what was open when. */
  open: boolean;
}

/** What sums can be told apart by. */
export type Dimension =
  'cluster' | 'clusterProvider' | 'region' | 'namespace' | 'problem' | 'code' | 'area' | 'severity' | 'provider' | 'status';

/** Dimensions that follow from the problem. */
export const OF_PROBLEM: ReadonlySet<Dimension> = new Set<Dimension>(['problem', 'code', 'area', 'severity', 'provider']);

/** Dimensions that follow from the cluster. */
const OF_CLUSTER: ReadonlySet<Dimension> = new Set<Dimension>(['cluster', 'clusterProvider', 'region']);

/** Whether occurrences are told: they are not kept by status, but those of one subject are counted from what was seen of it. */
export function tellsOccurrences({ filter, dimensions }: Pick<CellQuery, 'filter' | 'dimensions'>): boolean {
  return filter.subject !== undefined || !dimensions.includes('status');
}

/** Number of the bucket that stands for what is open now. */
export const OPEN_NOW = -1;

/**
 * A statement's part that gives rows of (cluster_id, namespace, problem_id, status, bucket, occurrences, opened, reopened, resolved, resolve_ms),
 * without those of clusters that are being removed. What no dimension asks for may be null.
 */
export function cellSource(query: CellQuery, put: Put): string {
  const source = query.filter.subject
    ? `${sightings(query, put)} UNION ALL ${episodeCells(query, '0', put)}`
    : query.dimensions.includes('status')
      ? episodeCells(query, 'NULL', put)
      : rollupCells(query, put);
  return query.open ? `${source} UNION ALL ${openEpisodes(query, put)}` : source;
}

/** Sums of roll-ups: of the one that knows no more than it has to. */
function rollupCells({ filter, scope, edges, dimensions, open }: CellQuery, put: Put): string {
  const byNamespace = restrictsNamespace(filter, scope) || dimensions.includes('namespace');
  const tellsProblem = dimensions.some((dimension) => OF_PROBLEM.has(dimension));
  const byProblem = filter.problems !== undefined || tellsProblem;
  const cluster = dimensions.some((dimension) => OF_CLUSTER.has(dimension)) ? 'r.cluster_id' : null;
  const namespace = dimensions.includes('namespace') ? 'r.namespace' : null;
  const problem = tellsProblem ? 'r.problem_id' : null;
  const plan = planCells(edges, open);
  if (byProblem && !byNamespace && !restrictsCluster(filter, scope) && (!cluster || filter.problems)) {
    const ofProblem = filter.problems ? `r.problem_id = ANY(${put(filter.problems)}::text[])` : 'true';
    const columns = { cluster, namespace, problem, open };
    const made = cellsOf(
      cluster ? BY_CLUSTER : 'rollup_everywhere',
      plan,
      { ...columns, where: (minutes) => `r.at NOT IN (${touched(minutes)}) AND ${ofProblem}` },
      put,
    );
    const unmade = (minutes: CellMinutes): string => `r.at = ANY(ARRAY(${touched(minutes)})) AND ${EVERY_CLUSTER} AND ${ofProblem}`;
    return `${made} UNION ALL ${cellsOf('rollup_problem', plan, { ...columns, where: unmade }, put)}`;
  }
  const table = [
    'rollup',
    ...(byNamespace ? ['namespace'] : []),
    ...(byProblem ? ['problem'] : []),
    ...(byNamespace || byProblem ? [] : ['cluster']),
  ].join('_');
  const known = { cluster: 'r.cluster_id', namespace: byNamespace ? 'r.namespace' : null, problem: byProblem ? 'r.problem_id' : null };
  const conditions = happeningWhere(filter, scope, known, put);
  // Keys begin with the cluster, or with the name that is asked for: without one of both, every cluster is named.
  conditions.push(filter.problems || filter.namespaces || scope.namespaces ? staying('r.cluster_id') : EVERY_CLUSTER);
  const where = conditions.join(' AND ');
  return cellsOf(table, plan, { cluster, namespace, problem, open, where: () => where }, put);
}

/** The rows of rollup_problem that are gathered in `rollup_by_cluster`. */
const BY_CLUSTER = `(SELECT g.minutes, g.at, g.problem_id, u.*
    FROM rollup_by_cluster g, unnest(g.cluster_ids, ${ROLLUP_MEASURES.map((name) => `g.${name}`).join(', ')}) AS u(cluster_id, ${ROLLUP_MEASURES.join(', ')}))`;

/**
 * Starts of the cells that sums over all clusters were not made of since they changed, as SQL. Of hours it tells their quarters, the first
 * of which begins when the hour does.
 */
function touched(minutes: CellMinutes): string {
  return minutes === 1440
    ? `SELECT DISTINCT date_bin('1 day', t.hour, 'epoch') FROM rollup_touched t`
    : `SELECT t.hour + q.n * interval '15 minutes' FROM (SELECT DISTINCT hour FROM rollup_touched) t, generate_series(0, 3) AS q(n)`;
}

interface CellColumns {
  /** Columns of `r`; null for what nobody asks for. */
  cluster: string | null;
  namespace: string | null;
  problem: string | null;
  open: boolean;
  /** Conditions on cells of a length. */
  where: (minutes: CellMinutes) => string;
}

function cellsOf(
  /** Name of a table, or a query in brackets. */
  table: string,
  { spans, rounded, pieces }: CellPlan,
  { cluster, namespace, problem, open, where }: CellColumns,
  put: Put,
): string {
  const last = open ? rounded.length : rounded.length - 1;
  const kept = `${cluster ?? 'NULL::integer'} AS cluster_id, ${namespace ?? 'NULL::text'} AS namespace, ${problem ?? 'NULL::text'} AS problem_id, NULL::text AS status`;
  const thresholds = `${put(rounded.map((at) => new Date(at).toISOString()))}::timestamptz[]`;
  const throughout = spans
    .map(({ minutes, from, to }) => {
      const until = to === Infinity ? '' : `AND r.at < ${time(put(to))}`;
      return `SELECT ${kept}, width_bucket(r.at, ${thresholds}) AS bucket, ${ROLLUP_MEASURES.map((name) => `r.${name}`).join(', ')}
    FROM ${table} r WHERE r.minutes = ${minutes} AND r.at >= ${time(put(from))} ${until} AND ${where(minutes)}`;
    })
    .join(' UNION ALL ');
  if (pieces.length === 0) return throughout;
  // Summed up before they are added to one bucket and taken from the next: there are many of them to an edge.
  const told = [cluster, namespace, problem].filter((column) => column !== null);
  return `${throughout}
    UNION ALL
    SELECT s.cluster_id, s.namespace, s.problem_id, s.status, v.bucket, ${ROLLUP_MEASURES.map((name) => `v.sign * s.${name}`).join(', ')}
    FROM (
      SELECT p.bucket, p.sign, s.*
      FROM json_to_recordset(${put(JSON.stringify(pieces))}::json) AS p(minutes smallint, "from" float8, "to" float8, bucket integer, sign integer)
        CROSS JOIN LATERAL (
          SELECT ${kept}, ${ROLLUP_MEASURES.map((name) => `sum(r.${name})::bigint AS ${name}`).join(', ')}
          FROM ${table} r
          WHERE r.minutes = p.minutes AND r.at >= ${time('p."from"')} AND r.at < ${time('p."to"')} AND ${where(15)}
          GROUP BY ${told.join(', ') || '()'} HAVING count(*) > 0
        ) s OFFSET 0
    ) s CROSS JOIN LATERAL (VALUES (s.bucket, s.sign), (s.bucket + 1, -s.sign)) AS v(bucket, sign)
    WHERE v.bucket BETWEEN 1 AND ${last}`;
}

/** What was seen of one subject, as long as raw data is kept: there is no roll-up by subject, and one subject has few. */
function sightings({ filter, scope, edges }: CellQuery, put: Put): string {
  const conditions = [staying('i.cluster_id'), ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  const thresholds = `${put(edges.map((at) => new Date(at).toISOString()))}::timestamptz[]`;
  return `SELECT i.cluster_id, i.subject_namespace AS namespace, i.problem_id, i.status, width_bucket(s.at, ${thresholds}) AS bucket,
      s.growth::bigint AS occurrences, 0 AS opened, 0 AS reopened, 0 AS resolved, 0::bigint AS resolve_ms
    FROM incident i JOIN affected a ON a.incident_id = i.id JOIN sighting s ON s.affected_id = a.id
    WHERE s.at >= ${time(put(edges[0]))} AND s.at < ${time(put(edges.at(-1)))} AND ${conditions}`;
}

/** Episodes themselves, one row for each start and each end: where roll-ups do not tell enough. */
function episodeCells({ filter, scope, edges, open }: CellQuery, occurrences: '0' | 'NULL', put: Put): string {
  const conditions = [staying('i.cluster_id'), ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  const thresholds = `${put(edges.map((at) => new Date(at).toISOString()))}::timestamptz[]`;
  const from = time(put(edges[0]));
  const until = (column: string): string => (open ? '' : `AND ${column} < ${time(put(edges.at(-1)))}`);
  const kept = 'i.cluster_id, i.subject_namespace AS namespace, i.problem_id, i.status';
  return `SELECT ${kept}, width_bucket(e.started_at, ${thresholds}) AS bucket, ${occurrences}::bigint AS occurrences, (NOT l.later)::integer AS opened,
      l.later::integer AS reopened, 0 AS resolved, 0::bigint AS resolve_ms
    FROM episode e JOIN incident i ON i.id = e.incident_id
      CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM episode o WHERE o.incident_id = e.incident_id AND o.started_at < e.started_at) AS later) l
    WHERE e.started_at >= ${from} ${until('e.started_at')} AND ${conditions}
    UNION ALL
    SELECT ${kept}, width_bucket(e.ended_at, ${thresholds}), ${occurrences}::bigint, 0, 0, 1, (extract(epoch FROM e.ended_at - e.started_at) * 1000)::bigint
    FROM episode e JOIN incident i ON i.id = e.incident_id
    WHERE e.ended_at >= ${from} ${until('e.ended_at')} AND ${conditions}`;
}

function openEpisodes({ filter, scope }: CellQuery, put: Put): string {
  const conditions = ['e.ended_at IS NULL', staying('i.cluster_id'), ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  return `SELECT i.cluster_id, i.subject_namespace, i.problem_id, i.status, ${OPEN_NOW}, NULL::bigint, 1, 0, 0, 0
    FROM episode e JOIN incident i ON i.id = e.incident_id WHERE ${conditions}`;
}

/**
 * Keeps out clusters that are being removed, of which only a part is left, which adds up to nothing that is true. `column` holds the id
 * of a cluster.
 */
export function staying(column: string): string {
  return `${column} <> ALL(ARRAY(SELECT c.id FROM cluster c WHERE c.removing_at IS NOT NULL))`;
}

/** The same by naming all others, for indexes that begin with the cluster. */
const EVERY_CLUSTER = 'r.cluster_id = ANY(ARRAY(SELECT c.id FROM cluster c WHERE c.removing_at IS NULL))';

/** Columns of `incident i`. */
export const OF_INCIDENT = { cluster: 'i.cluster_id', namespace: 'i.subject_namespace', problem: 'i.problem_id' } as const;

/** Milliseconds since the epoch as a moment, in SQL. */
export function time(milliseconds: string): string {
  return `to_timestamp(${milliseconds}::float8 / 1000.0)`;
}

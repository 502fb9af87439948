import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import type { Dimension } from './cell-source.js';
import { OF_INCIDENT, staying, time } from './cell-source.js';
import type { ProblemFacts } from './group-key.js';
import { groupKey } from './group-key.js';
import type { HappeningFilter, Put } from './happening-filter.js';
import { happeningWhere } from './happening-filter.js';

/** How long it took to resolve, in seconds, over periods of incidents that ended in a range. */
export interface ResolveTimes {
  /** Value of each dimension; null for everything together. */
  key: string[] | null;
  /** How many were looked at. */
  counted: number;
  median: number;
  p90: number;
}

/** A question for times to resolve. */
export interface ResolveTimesQuery {
  filter: HappeningFilter;
  scope: Scope;
  /** Milliseconds since the epoch; `to` not included. */
  from: number;
  to: number;
  dimensions: readonly Dimension[];
  facts: readonly ProblemFacts[];
}

/** Most periods that one answer looks at, the latest of the range: a bound on its cost. */
export const MOST_PERIODS = 100_000;

/** Finds median and ninth decile of the times to resolve, by group and of everything together. */
export async function findResolveTimes(database: Pick<Database, 'rows'>, query: ResolveTimesQuery): Promise<ResolveTimes[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const conditions = [staying('i.cluster_id'), ...happeningWhere(query.filter, query.scope, OF_INCIDENT, put)].join(' AND ');
  const { values, joins, key } = groupKey(query.dimensions, query.facts, put);
  const found = await database.rows<ResolveTimes & { median: number | null; p90: number | null }>(
    `SELECT CASE WHEN s.key IS NOT NULL THEN ${key(values.map((_, i) => `s.key[${i + 1}]`))} END AS key, s.counted, s.median, s.p90
     FROM (
       SELECT y.key, count(*)::integer AS counted, percentile_cont(0.5) WITHIN GROUP (ORDER BY y.seconds) AS median,
         percentile_cont(0.9) WITHIN GROUP (ORDER BY y.seconds) AS p90
       FROM (
         SELECT ARRAY[${values.map((value) => `${value}::text`).join(', ')}]::text[] AS key, x.seconds FROM (
           SELECT i.cluster_id, i.subject_namespace AS namespace, i.problem_id, i.status, extract(epoch FROM e.ended_at - e.started_at)::float8 AS seconds
           FROM episode e JOIN incident i ON i.id = e.incident_id
           WHERE e.ended_at >= ${time(put(query.from))} AND e.ended_at < ${time(put(query.to))} AND ${conditions}
           ORDER BY e.ended_at DESC LIMIT ${MOST_PERIODS}
         ) x ${joins}
       ) y
       GROUP BY GROUPING SETS ((y.key), ())
     ) s`,
    ...params,
  );
  // Of nothing at all there is still the row of everything together.
  return found.filter(({ counted }) => counted > 0);
}

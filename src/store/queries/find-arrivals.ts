import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { OF_INCIDENT, time } from './cell-source.js';
import type { HappeningFilter, Put } from './happening-filter.js';
import { happeningWhere } from './happening-filter.js';

/** A problem coming to a cluster in which it had not been open for a while. */
export interface Arrival {
  problemId: string;
  cluster: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A question for arrivals. */
export interface ArrivalQuery {
  filter: HappeningFilter;
  scope: Scope;
  /** Milliseconds since the epoch; `to` not included. */
  from: number;
  to: number;
  /** How long a problem must not have been open in a cluster for its next incident to be an arrival, milliseconds. */
  away: number;
  /** Most arrivals to return, the latest. */
  limit: number;
}

/** Finds the arrivals of a range, of problems that came to several clusters in it. */
export function findArrivals(database: Pick<Database, 'rows'>, query: ArrivalQuery): Promise<Arrival[]> {
  const { filter, scope, from, to, away, limit } = query;
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const conditions = ['true', ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  const since = time(put(from - away));
  return database.rows<Arrival & Record<string, unknown>>(
    `WITH period AS (
       SELECT i.problem_id, i.cluster_id, e.started_at,
         max(COALESCE(e.ended_at, 'infinity')) OVER (
           PARTITION BY i.problem_id, i.cluster_id ORDER BY e.started_at, e.incident_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
         ) AS before
       FROM episode e JOIN incident i ON i.id = e.incident_id JOIN cluster c ON c.id = i.cluster_id AND c.removing_at IS NULL
       WHERE e.started_at < ${time(put(to))} AND (e.ended_at IS NULL OR e.ended_at >= ${since}) AND ${conditions}
     ), arrival AS (
       SELECT problem_id, cluster_id, started_at, count(*) OVER (PARTITION BY problem_id) AS number FROM period
       WHERE started_at >= ${time(put(from))} AND (before IS NULL OR before < started_at - ${put(away)} * interval '1 millisecond')
     )
     SELECT a.problem_id AS "problemId", c.name AS cluster, ${ms('a.started_at')} AS at
     FROM arrival a JOIN cluster c ON c.id = a.cluster_id WHERE a.number > 1
     ORDER BY a.started_at DESC, a.problem_id COLLATE "C", c.name COLLATE "C" LIMIT ${put(limit)}`,
    ...params,
  );
}

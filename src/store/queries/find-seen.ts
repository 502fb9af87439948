import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { OF_INCIDENT, time } from './cell-source.js';
import type { HappeningFilter, Put } from './happening-filter.js';
import { happeningWhere } from './happening-filter.js';

/** When something was seen in a cluster, and on how many subjects. Times are milliseconds since the epoch. */
export interface Seen {
  cluster: string;
  /** Of the incidents that are kept, as all here. */
  firstSeenAt: number;
  lastSeenAt: number;
  /** Subjects on which it was open at some time of the range. */
  subjects: number;
  /** Subjects on which it is open now. */
  openNow: number;
}

/** A question for what was seen. */
export interface SeenQuery {
  filter: HappeningFilter;
  scope: Scope;
  /** Milliseconds since the epoch; `to` not included. */
  from: number;
  to: number;
}

/** Finds by cluster when the incidents of a filter were seen; a cluster without any is left out. */
export function findSeen(database: Pick<Database, 'rows'>, { filter, scope, from, to }: SeenQuery): Promise<Seen[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const conditions = ['i.affected_count > 0', ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  const [start, end] = [time(put(from)), time(put(to))];
  // What was seen last before the range, and is over, was not open in it; only the others need a look at their episodes.
  return database.rows<Seen & Record<string, unknown>>(
    `SELECT c.name AS cluster, s."firstSeenAt", s."lastSeenAt", s.subjects, s."openNow"
     FROM (
       SELECT i.cluster_id, ${ms('min(i.first_seen_at)')} AS "firstSeenAt", ${ms('max(i.last_seen_at)')} AS "lastSeenAt",
         count(DISTINCT i.subject_key) FILTER (WHERE i.first_seen_at < ${end} AND (i.resolved_at IS NULL OR i.resolved_at >= ${start}) AND EXISTS (
           SELECT FROM episode e WHERE e.incident_id = i.id AND e.started_at < ${end} AND (e.ended_at IS NULL OR e.ended_at >= ${start})
         ))::integer AS subjects,
         count(DISTINCT i.subject_key) FILTER (WHERE i.status <> 'resolved')::integer AS "openNow"
       FROM incident i WHERE ${conditions} GROUP BY i.cluster_id
     ) s JOIN cluster c ON c.id = s.cluster_id AND c.removing_at IS NULL
     ORDER BY c.name COLLATE "C"`,
    ...params,
  );
}

/** Names of the clusters in which there are incidents of a filter: an index tells of each by one row. */
export async function findClustersSeen(
  database: Pick<Database, 'rows'>,
  { filter, scope }: Pick<SeenQuery, 'filter' | 'scope'>,
): Promise<string[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const conditions = ['i.affected_count > 0', ...happeningWhere(filter, scope, OF_INCIDENT, put)].join(' AND ');
  const found = await database.rows<{ name: string }>(
    `SELECT k.name FROM cluster k
     WHERE k.removing_at IS NULL AND EXISTS (SELECT FROM incident i WHERE i.cluster_id = k.id AND ${conditions})
     ORDER BY k.name COLLATE "C"`,
    ...params,
  );
  return found.map(({ name }) => name);
}

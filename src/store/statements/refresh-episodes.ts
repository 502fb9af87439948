import { mergeEpisodes } from '../../incidents/merge-episodes.js';
import type { Interval, Resolution } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';
import { statusOf } from './status-of.js';

/** An incident of which a start or an end of a period changed from some moment on. */
export interface ChangedIncident {
  id: string;
  /** Milliseconds since the epoch. */
  from: number;
}

/** An episode that came to be, or is not any more. */
export interface EpisodeChange {
  /** 1 for one that is now, -1 for one that was. */
  sign: 1 | -1;
  namespace: string;
  problemId: string;
  startedAt: number;
  endedAt: number | null;
  /** Whether it was the first of its incident. */
  first: boolean;
}

interface Row {
  id: string;
  namespace: string;
  problem_id: string;
  first_at: number | null;
  from_at: number;
  started_at: number | null;
  ended_at: number | null;
  resolution: Resolution | null;
}

/**
 * Makes the episodes of incidents agree with the periods of their affected objects, from the moment of change on. Reads
 * only periods that reach into the changed time, so that the work does not grow with the incident's age; OFFSET 0 as in
 * `findEventKeys`, so that it does not grow with the table either. What an incident's history says up to the moment until which
 * objects of it were forgotten is final. Returns what changed, for the roll-ups.
 */
export async function refreshEpisodes(connection: Connection, changed: readonly ChangedIncident[]): Promise<EpisodeChange[]> {
  const periods = await rows<Row>(
    connection,
    `WITH c AS (
       SELECT n.id, f.final, f.cut, LEAST(g.at,
                (SELECT min(e.started_at) FROM episode e WHERE e.incident_id = n.id AND (e.ended_at IS NULL OR e.ended_at >= g.at))) AS from_at
       FROM json_to_recordset($1::json) AS n(id uuid, "from" float8)
         CROSS JOIN LATERAL (
           SELECT forgotten_until AS final,
             -- A period that reaches over the moment goes on with the episode that does; without one it begins behind it.
             CASE WHEN EXISTS (SELECT FROM episode e WHERE e.incident_id = n.id AND e.started_at <= forgotten_until
                                 AND (e.ended_at IS NULL OR e.ended_at > forgotten_until))
                  THEN forgotten_until ELSE forgotten_until + interval '1 millisecond' END AS cut
           FROM incident WHERE id = n.id OFFSET 0
         ) f
         CROSS JOIN LATERAL (SELECT GREATEST(to_timestamp(n."from" / 1000.0), f.final) AS at OFFSET 0) g
     ), p AS (
       SELECT c.id, CASE WHEN a.started_at < c.final THEN c.cut ELSE a.started_at END AS started_at, a.ended_at, a.resolution
       FROM c CROSS JOIN LATERAL (
         SELECT * FROM affected WHERE incident_id = c.id AND ended_at IS NULL
         UNION ALL SELECT * FROM affected WHERE incident_id = c.id AND ended_at >= c.from_at
       ) a
       WHERE (a.ended_at > c.final) IS NOT FALSE
       UNION ALL
       SELECT c.id, CASE WHEN v.started_at < c.final THEN c.cut ELSE v.started_at END, v.ended_at, v.resolution
       -- Behind an earlier period that reaches so far lies the latest, with a later sighting.
       FROM c CROSS JOIN LATERAL (SELECT id FROM affected WHERE incident_id = c.id AND last_at >= c.from_at OFFSET 0) a
         CROSS JOIN LATERAL (SELECT * FROM affected_interval WHERE affected_id = a.id AND ended_at >= c.from_at OFFSET 0) v
       WHERE (v.ended_at > c.final) IS NOT FALSE
       UNION ALL
       -- An episode that began before stands for the periods of objects that were forgotten.
       SELECT c.id, e.started_at, LEAST(e.ended_at, c.final), COALESCE(e.resolution, 'QUIET')
       FROM c CROSS JOIN LATERAL (
         SELECT * FROM episode WHERE incident_id = c.id AND started_at >= c.from_at AND started_at <= c.final OFFSET 0
       ) e
     )
     SELECT c.id, i.subject_namespace AS namespace, i.problem_id, ${ms('i.first_at')} AS first_at, ${ms('c.from_at')} AS from_at, p.resolution,
            ${ms('p.started_at')} AS started_at, ${ms('p.ended_at')} AS ended_at
     FROM c CROSS JOIN LATERAL (
         SELECT subject_namespace, problem_id, (SELECT min(e.started_at) FROM episode e WHERE e.incident_id = c.id) AS first_at
         FROM incident WHERE id = c.id OFFSET 0
       ) i
       LEFT JOIN p ON p.id = c.id`,
    JSON.stringify(changed),
  );
  const byIncident = new Map<string, Refreshed>();
  for (const row of periods) {
    const { namespace, problem_id: problemId, first_at: firstAt, from_at: fromAt } = row;
    const entry = byIncident.get(row.id) ?? { namespace, problemId, firstAt, fromAt, intervals: [] };
    byIncident.set(row.id, entry);
    if (row.started_at === null) continue;
    entry.fromAt = Math.min(entry.fromAt, row.started_at);
    entry.intervals.push({ startedAt: row.started_at, endedAt: row.ended_at, resolution: row.resolution });
  }
  const from = [...byIncident].map(([id, { fromAt }]) => ({ id, from: fromAt }));
  const episodes = [...byIncident].flatMap(([id, { intervals }]) => mergeEpisodes(intervals).map((episode) => ({ id, ...episode })));
  const gone = await rows<{ id: string; started_at: number; ended_at: number | null }>(
    connection,
    `DELETE FROM episode e USING json_to_recordset($1::json) AS n(id uuid, "from" float8)
     WHERE e.incident_id = n.id AND e.started_at >= to_timestamp(n."from" / 1000.0)
     RETURNING n.id, ${ms('e.started_at')} AS started_at, ${ms('e.ended_at')} AS ended_at`,
    JSON.stringify(from),
  );
  await rows(
    connection,
    `INSERT INTO episode (incident_id, started_at, ended_at, resolution)
     SELECT n.id, to_timestamp(n."startedAt" / 1000.0), to_timestamp(n."endedAt" / 1000.0), n.resolution
     FROM json_to_recordset($1::json) AS n(id uuid, "startedAt" float8, "endedAt" float8, resolution text)`,
    JSON.stringify(episodes),
  );
  await rows(
    connection,
    // Only now is it known whether an acknowledgement lies in the open episode.
    `UPDATE incident i SET resolved_at = l.ended_at, resolved_by = l.resolution, status = ${statusOf('i.acknowledged_at')}
     FROM json_to_recordset($1::json) AS n(id uuid),
       LATERAL (SELECT e.started_at, e.ended_at, e.resolution FROM episode e WHERE e.incident_id = n.id ORDER BY e.started_at DESC LIMIT 1) l
     WHERE i.id = n.id AND (i.resolved_at, i.resolved_by, i.status) IS DISTINCT FROM (l.ended_at, l.resolution, ${statusOf('i.acknowledged_at')})`,
    JSON.stringify(from),
  );
  const before = gone.map(({ id, started_at: startedAt, ended_at: endedAt }) => ({ id, startedAt, endedAt }));
  return [...changesOf(before, -1, byIncident), ...changesOf(episodes, 1, byIncident)];
}

/** An incident whose episodes are derived anew from `fromAt` on. */
interface Refreshed {
  namespace: string;
  problemId: string;
  /** Start of its first episode as it was; null when it had none. */
  firstAt: number | null;
  fromAt: number;
  intervals: Pick<Interval, 'startedAt' | 'endedAt' | 'resolution'>[];
}

/** Episodes that were (-1), or are now (1), as changes: the first of its incident is the one without any before it. */
function changesOf(
  episodes: readonly { id: string; startedAt: number; endedAt: number | null }[],
  sign: 1 | -1,
  incidents: ReadonlyMap<string, Refreshed>,
): EpisodeChange[] {
  const firstOf = new Map<string, number>();
  for (const { id, startedAt } of episodes) firstOf.set(id, Math.min(firstOf.get(id) ?? Infinity, startedAt));
  return episodes.map(({ id, startedAt, endedAt }) => {
    const { namespace, problemId, firstAt, fromAt } = incidents.get(id)!;
    const keepsEarlier = firstAt !== null && firstAt < fromAt;
    return { sign, namespace, problemId, startedAt, endedAt, first: !keepsEarlier && startedAt === firstOf.get(id) };
  });
}

import { mergeEpisodes } from '../../incidents/merge-episodes.js';
import type { Interval, Resolution } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** An incident of which a start or an end of a period changed from some moment on. */
export interface ChangedIncident {
  id: string;
  /** Milliseconds since the epoch. */
  from: number;
}

interface Row {
  id: string;
  from_at: number;
  started_at: number | null;
  ended_at: number | null;
  resolution: Resolution | null;
}

/**
 * Makes the episodes of incidents agree with the periods of their affected objects, from the moment of change on. Reads
 * only periods that reach into the changed time, so that the work does not grow with the incident's age; OFFSET 0 as in
 * `findEventKeys`, so that it does not grow with the table either.
 */
export async function refreshEpisodes(connection: Connection, changed: readonly ChangedIncident[]): Promise<void> {
  const periods = await rows<Row>(
    connection,
    `WITH c AS (
       SELECT n.id, LEAST(to_timestamp(n."from" / 1000.0),
                (SELECT min(e.started_at) FROM episode e
                 WHERE e.incident_id = n.id AND (e.ended_at IS NULL OR e.ended_at >= to_timestamp(n."from" / 1000.0)))) AS from_at
       FROM json_to_recordset($1::json) AS n(id uuid, "from" float8)
     ), p AS (
       SELECT c.id, a.started_at, a.ended_at, a.resolution
       FROM c CROSS JOIN LATERAL (
         SELECT * FROM affected WHERE incident_id = c.id AND ended_at IS NULL
         UNION ALL SELECT * FROM affected WHERE incident_id = c.id AND ended_at >= c.from_at
       ) a
       UNION ALL
       SELECT c.id, v.started_at, v.ended_at, v.resolution
       -- Behind an earlier period that reaches so far lies the latest, with a later sighting.
       FROM c CROSS JOIN LATERAL (SELECT id FROM affected WHERE incident_id = c.id AND last_at >= c.from_at OFFSET 0) a
         CROSS JOIN LATERAL (SELECT * FROM affected_interval WHERE affected_id = a.id AND ended_at >= c.from_at OFFSET 0) v
     )
     SELECT c.id, ${ms('c.from_at')} AS from_at, p.resolution,
            ${ms('p.started_at')} AS started_at, ${ms('p.ended_at')} AS ended_at
     FROM c LEFT JOIN p ON p.id = c.id`,
    JSON.stringify(changed),
  );
  const byIncident = new Map<string, { fromAt: number; intervals: Pick<Interval, 'startedAt' | 'endedAt' | 'resolution'>[] }>();
  for (const row of periods) {
    const entry = byIncident.get(row.id) ?? { fromAt: row.from_at, intervals: [] };
    byIncident.set(row.id, entry);
    if (row.started_at === null) continue;
    entry.fromAt = Math.min(entry.fromAt, row.started_at);
    entry.intervals.push({ startedAt: row.started_at, endedAt: row.ended_at, resolution: row.resolution });
  }
  const from = [...byIncident].map(([id, { fromAt }]) => ({ id, from: fromAt }));
  const episodes = [...byIncident].flatMap(([id, { intervals }]) => mergeEpisodes(intervals).map((episode) => ({ id, ...episode })));
  await rows(
    connection,
    `DELETE FROM episode e USING json_to_recordset($1::json) AS n(id uuid, "from" float8)
     WHERE e.incident_id = n.id AND e.started_at >= to_timestamp(n."from" / 1000.0)`,
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
    `UPDATE incident i SET resolved_at = l.ended_at, resolved_by = l.resolution
     FROM json_to_recordset($1::json) AS n(id uuid),
       LATERAL (SELECT e.ended_at, e.resolution FROM episode e WHERE e.incident_id = n.id ORDER BY e.started_at DESC LIMIT 1) l
     WHERE i.id = n.id`,
    JSON.stringify(from),
  );
}

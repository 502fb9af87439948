import type { Database } from '../database.service.js';
import { ms } from '../rows.js';

/** One uninterrupted open period of an incident. Times are milliseconds since the epoch. */
export interface EpisodeRecord {
  startedAt: number;
  /** Null while it lasts. */
  endedAt: number | null;
  resolution: string | null;
}

/** Finds for each incident its latest episodes, newest first, at most `limit` of each. */
export async function findEpisodes(
  database: Pick<Database, 'rows'>,
  incidentIds: readonly string[],
  limit: number,
): Promise<Map<string, EpisodeRecord[]>> {
  const found = await database.rows<{ incident_id: string; started_at: number; ended_at: number | null; resolution: string | null }>(
    `SELECT o.incident_id, ${ms('e.started_at')} AS started_at, ${ms('e.ended_at')} AS ended_at, e.resolution
     FROM unnest($1::uuid[]) AS o(incident_id)
     CROSS JOIN LATERAL (
       SELECT * FROM episode e WHERE e.incident_id = o.incident_id ORDER BY e.started_at DESC LIMIT $2
     ) e`,
    incidentIds,
    limit,
  );
  const byIncident = new Map<string, EpisodeRecord[]>(incidentIds.map((id) => [id, []]));
  for (const row of found)
    byIncident.get(row.incident_id)!.push({ startedAt: row.started_at, endedAt: row.ended_at, resolution: row.resolution });
  return byIncident;
}

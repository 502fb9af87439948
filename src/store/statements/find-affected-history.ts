import type { AffectedHistory } from '../../incidents/follow-affected.js';
import type { Interval, Resolution } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Finds every stored sighting and earlier period of some affected objects, by row id; for marks that came late. */
export async function findAffectedHistory(connection: Connection, ids: readonly string[]): Promise<Map<string, AffectedHistory>> {
  const histories = new Map(ids.map((id) => [id, { sightings: [] as { at: number; since: number }[], past: [] as Interval[] }]));
  const sightings = await rows<{ id: string; at: number; since: number }>(
    connection,
    `SELECT s.affected_id AS id, (extract(epoch FROM s.at) * 1000)::float8 AS at, (extract(epoch FROM s.since) * 1000)::float8 AS since
     FROM sighting s WHERE s.affected_id = ANY($1::bigint[])`,
    ids,
  );
  for (const { id, at, since } of sightings) histories.get(id)!.sightings.push({ at, since });
  const intervals = await rows<{ id: string; started_at: number; last_at: number; ended_at: number; resolution: Resolution }>(
    connection,
    `SELECT v.affected_id AS id, v.resolution, (extract(epoch FROM v.started_at) * 1000)::float8 AS started_at,
            (extract(epoch FROM v.last_at) * 1000)::float8 AS last_at, (extract(epoch FROM v.ended_at) * 1000)::float8 AS ended_at
     FROM affected_interval v WHERE v.affected_id = ANY($1::bigint[])`,
    ids,
  );
  for (const { id, started_at: startedAt, last_at: lastAt, ended_at: endedAt, resolution } of intervals) {
    histories.get(id)!.past.push({ startedAt, lastAt, endedAt, resolution });
  }
  return histories;
}

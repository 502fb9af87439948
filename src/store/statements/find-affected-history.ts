import type { AffectedHistory } from '../../incidents/follow-affected.js';
import type { Interval, Resolution } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** An affected object that something came late for. */
export interface LateAffected {
  /** Row id. */
  id: string;
  /** From when on its sightings and signals changed, milliseconds since the epoch. */
  from: number;
}

interface Row {
  id: string;
  cut: number | null;
  at: number;
  since: number;
}

/**
 * Finds what is stored about affected objects around the moment of change and behind it, by row id. Reads from the last
 * sighting before that moment on, so that the work does not grow with the age of the object.
 */
export async function findAffectedHistory(connection: Connection, late: readonly LateAffected[]): Promise<Map<string, AffectedHistory>> {
  const list = JSON.stringify(late);
  const histories = new Map(
    late.map(({ id }) => [id, { cut: null as number | null, sightings: [] as { at: number; since: number }[], past: [] as Interval[] }]),
  );
  const sightings = await rows<Row>(
    connection,
    `SELECT c.id, ${ms('c.cut')} AS cut, ${ms('s.at')} AS at, ${ms('s.since')} AS since
     FROM (SELECT n.id, (SELECT max(at) FROM sighting WHERE affected_id = n.id AND at < to_timestamp(n."from" / 1000.0)) AS cut
           FROM json_to_recordset($1::json) AS n(id bigint, "from" float8)) c
     CROSS JOIN LATERAL (SELECT * FROM sighting WHERE affected_id = c.id AND at >= COALESCE(c.cut, '-infinity') OFFSET 0) s`,
    list,
  );
  for (const { id, cut, at, since } of sightings) {
    const history = histories.get(id)!;
    history.cut = cut;
    history.sightings.push({ at, since });
  }
  const intervals = await rows<{ id: string; started_at: number; last_at: number; ended_at: number; resolution: Resolution }>(
    connection,
    `SELECT v.affected_id AS id, v.resolution, ${ms('v.started_at')} AS started_at, ${ms('v.last_at')} AS last_at, ${ms('v.ended_at')} AS ended_at
     FROM json_to_recordset($1::json) AS n(id bigint, cut float8)
     CROSS JOIN LATERAL (
       SELECT * FROM affected_interval WHERE affected_id = n.id AND (n.cut IS NULL OR ended_at >= to_timestamp(n.cut / 1000.0)) OFFSET 0
     ) v`,
    JSON.stringify([...histories].map(([id, { cut }]) => ({ id, cut }))),
  );
  for (const { id, started_at: startedAt, last_at: lastAt, ended_at: endedAt, resolution } of intervals) {
    histories.get(id)!.past.push({ startedAt, lastAt, endedAt, resolution });
  }
  return histories;
}

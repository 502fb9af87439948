import type { Database } from '../database.service.js';
import { ms } from '../rows.js';

/** A stored Event of an incident. Times are milliseconds since the epoch. */
export interface EventRecord {
  uid: string;
  reason: string;
  message: string;
  type: string;
  reporter: string;
  host: string;
  kind: string;
  namespace: string;
  name: string;
  container: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** Part of each incident's list of events, latest first. */
export interface EventPage {
  /** Most events of each incident. */
  limit: number;
  /** Sort key of the last event of the page before; `at` in milliseconds since the epoch. */
  after?: { at: number; uid: string } | undefined;
}

interface Row extends Omit<EventRecord, 'firstAt' | 'lastAt'> {
  incident_id: string;
  first_at: number;
  last_at: number;
}

/** Finds for each incident the events after a position. */
export async function findIncidentEvents(
  database: Pick<Database, 'rows'>,
  incidentIds: readonly string[],
  { limit, after }: EventPage,
): Promise<Map<string, EventRecord[]>> {
  const position = after ? 'AND (e.last_at, e.uid) < (to_timestamp($3::float8 / 1000.0), $4)' : '';
  const found = await database.rows<Row>(
    `SELECT o.incident_id, e.uid, e.reason, e.message, e.type, e.reporter, e.host, e.kind, e.namespace, e.name, e.container, e.count,
       ${ms('e.first_at')} AS first_at, ${ms('e.last_at')} AS last_at
     FROM unnest($1::uuid[]) AS o(incident_id)
     CROSS JOIN LATERAL (
       SELECT * FROM event e WHERE e.incident_id = o.incident_id ${position} ORDER BY e.last_at DESC, e.uid DESC LIMIT $2
     ) e`,
    incidentIds,
    limit,
    ...(after ? [after.at, after.uid] : []),
  );
  const byIncident = new Map<string, EventRecord[]>(incidentIds.map((id) => [id, []]));
  for (const { incident_id: id, first_at: firstAt, last_at: lastAt, ...event } of found)
    byIncident.get(id)!.push({ ...event, firstAt, lastAt });
  return byIncident;
}

/** Counts the stored events of each incident. */
export async function countIncidentEvents(database: Pick<Database, 'rows'>, incidentIds: readonly string[]): Promise<Map<string, number>> {
  const counts = await database.rows<{ incident_id: string; count: number }>(
    'SELECT e.incident_id, count(*)::integer AS count FROM event e WHERE e.incident_id = ANY($1::uuid[]) GROUP BY e.incident_id',
    incidentIds,
  );
  return new Map(counts.map((row) => [row.incident_id, row.count]));
}

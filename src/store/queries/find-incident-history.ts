import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import type { WorkState } from '../statements/record-work.js';

/** Something that happened to an incident: what a person did, or a change of status that its events tell. */
export interface HistoryRecord {
  /** `a` and a number for a person's change, `s` or `e` for the start or end of an episode. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** OPENED, or what a person can do. */
  kind: string;
  /** Name of the person; null for a change that events tell. */
  by: string | null;
  /** A comment, or the reason of the change. */
  note: string | null;
  /** Why it ended; null unless it ended. */
  resolution: string | null;
  /** Null for what events tell. */
  before: WorkState | null;
  after: WorkState | null;
}

/** Part of a history: what comes after a position, latest first. */
export interface HistoryPage {
  limit: number;
  after?: { at: number; id: string } | undefined;
}

const AUDIT_ID = `'a' || lpad(a.id::text, 19, '0')`;

/**
 * Reads the history of each incident, latest first. Its changes of status are its episodes as they are known now, so they are told as
 * events told them, however late; a start or end that a person set is told as what the person did. Each part walks its own
 * index and stops at the limit.
 */
export async function findIncidentHistory(
  database: Pick<Database, 'rows'>,
  incidentIds: readonly string[],
  { limit, after }: HistoryPage,
): Promise<Map<string, HistoryRecord[]>> {
  const before = (at: string, id: string): string =>
    after ? `AND ${at} <= to_timestamp($3::float8 / 1000.0) AND (${at}, ${id}) < (to_timestamp($3::float8 / 1000.0), $4::text)` : '';
  const found = await database.rows<HistoryRecord & { incident_id: string }>(
    `SELECT o.incident_id, h.id, ${ms('h.at')} AS at, h.kind, h.by, h.note, h.resolution, h.before, h.after
     FROM unnest($1::uuid[]) AS o(incident_id)
     CROSS JOIN LATERAL (
       SELECT * FROM (
         (SELECT ${AUDIT_ID} AS id, a.at, a.kind, a.by, a.note, NULL AS resolution, a.before, a.after
          FROM incident_audit a WHERE a.incident_id = o.incident_id ${before('a.at', AUDIT_ID)} ORDER BY a.at DESC, a.id DESC LIMIT $2)
         UNION ALL
         (SELECT 's', e.started_at, CASE WHEN EXISTS (SELECT FROM episode p WHERE p.incident_id = e.incident_id AND p.started_at < e.started_at)
            THEN 'REOPENED' ELSE 'OPENED' END, NULL, NULL, NULL, NULL, NULL
          FROM episode e WHERE e.incident_id = o.incident_id ${before('e.started_at', "'s'")}
            AND NOT EXISTS (SELECT FROM incident_audit a WHERE a.incident_id = e.incident_id AND a.at = e.started_at AND a.kind = 'REOPENED')
          ORDER BY e.started_at DESC LIMIT $2)
         UNION ALL
         (SELECT 'e', e.ended_at, 'RESOLVED', NULL, NULL, e.resolution, NULL, NULL
          FROM episode e WHERE e.incident_id = o.incident_id AND e.ended_at IS NOT NULL AND e.resolution <> 'MANUAL' ${before('e.ended_at', "'e'")}
          ORDER BY e.started_at DESC LIMIT $2)
       ) h ORDER BY h.at DESC, h.id DESC LIMIT $2
     ) h`,
    incidentIds,
    limit,
    ...(after ? [after.at, after.id] : []),
  );
  const byIncident = new Map<string, HistoryRecord[]>(incidentIds.map((id) => [id, []]));
  for (const { incident_id: incidentId, ...record } of found) byIncident.get(incidentId)!.push(record);
  return byIncident;
}

/** Counts the entries of each incident's history. */
export async function countIncidentHistory(database: Pick<Database, 'rows'>, incidentIds: readonly string[]): Promise<Map<string, number>> {
  const found = await database.rows<{ id: string; count: number }>(
    `SELECT o.id, ((SELECT count(*) FROM incident_audit a WHERE a.incident_id = o.id)
       + (SELECT count(*) FROM episode e WHERE e.incident_id = o.id
            AND NOT EXISTS (SELECT FROM incident_audit a WHERE a.incident_id = e.incident_id AND a.at = e.started_at AND a.kind = 'REOPENED'))
       + (SELECT count(*) FROM episode e WHERE e.incident_id = o.id AND e.ended_at IS NOT NULL AND e.resolution <> 'MANUAL'))::integer AS count
     FROM unnest($1::uuid[]) AS o(id)`,
    incidentIds,
  );
  return new Map(found.map(({ id, count }) => [id, count]));
}

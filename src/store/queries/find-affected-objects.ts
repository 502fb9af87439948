import type { Database } from '../database.service.js';

/** An object that shows an incident's problem. */
export interface AffectedObject {
  kind: string;
  namespace: string;
  name: string;
  /** Empty when the problem is of the whole object. */
  container: string;
}

/** Finds for each incident the objects that were seen last, at most `limit` of each. */
export async function findAffectedObjects(
  database: Pick<Database, 'rows'>,
  incidentIds: readonly string[],
  limit: number,
): Promise<Map<string, AffectedObject[]>> {
  const found = await database.rows<AffectedObject & { incident_id: string }>(
    `SELECT o.incident_id, a.kind, a.namespace, a.name, split_part(a.container, '@', 1) AS container
     FROM unnest($1::uuid[]) AS o(incident_id)
     CROSS JOIN LATERAL (
       SELECT * FROM affected a WHERE a.incident_id = o.incident_id ORDER BY a.last_at DESC, a.id DESC LIMIT $2
     ) a`,
    incidentIds,
    limit,
  );
  const byIncident = new Map<string, AffectedObject[]>(incidentIds.map((id) => [id, []]));
  for (const { incident_id: id, ...object } of found) byIncident.get(id)!.push(object);
  return byIncident;
}

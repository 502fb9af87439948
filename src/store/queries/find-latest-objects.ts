import type { Database } from '../database.service.js';

/** The object that showed an incident's problem last: what the commands of a diagnosis are to be run on. */
export interface LatestObject {
  kind: string;
  namespace: string;
  name: string;
  container: string;
  /** Node or host that reported it; empty when unknown. */
  host: string;
}

/** Finds for each incident the object of its latest event, or of its affected objects when no event is kept any more. */
export async function findLatestObjects(
  database: Pick<Database, 'rows'>,
  incidentIds: readonly string[],
): Promise<Map<string, LatestObject>> {
  const found = await database.rows<LatestObject & { incident_id: string }>(
    `SELECT o.incident_id, COALESCE(e.kind, a.kind) AS kind, COALESCE(e.namespace, a.namespace) AS namespace, COALESCE(e.name, a.name) AS name,
       COALESCE(e.container, split_part(a.container, '@', 1)) AS container, COALESCE(e.host, '') AS host
     FROM unnest($1::uuid[]) AS o(incident_id)
     LEFT JOIN LATERAL (SELECT * FROM event e WHERE e.incident_id = o.incident_id ORDER BY e.last_at DESC, e.uid DESC LIMIT 1) e ON true
     LEFT JOIN LATERAL (SELECT * FROM affected a WHERE a.incident_id = o.incident_id ORDER BY a.last_at DESC, a.id DESC LIMIT 1) a ON true
     WHERE COALESCE(e.kind, a.kind) IS NOT NULL`,
    incidentIds,
  );
  return new Map(found.map(({ incident_id: id, ...object }) => [id, object]));
}

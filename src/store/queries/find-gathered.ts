import type { Database } from '../database.service.js';
import { incidentsOrGone } from './match-incidents.js';

/** How many incidents of a problem in a cluster had a change of a kind. */
export interface GatheredCount {
  kind: string;
  problemId: string;
  cluster: string;
  severity: string;
  count: number;
}

/** What a digest counts, the most first. Incidents that are forgotten are left out. */
export function countGathered(database: Pick<Database, 'rows'>, webhookId: string): Promise<GatheredCount[]> {
  return database.rows<GatheredCount & Record<string, unknown>>(
    `SELECT g.kind, i.problem_id AS "problemId", c.name AS cluster, i.severity, count(*)::integer AS count
     FROM webhook_gathered g JOIN ${incidentsOrGone('ARRAY(SELECT incident_id FROM webhook_gathered WHERE webhook_id = $1)')} ON i.id = g.incident_id JOIN cluster c ON c.id = i.cluster_id
     WHERE g.webhook_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, 1, 2, 3, 4`,
    webhookId,
  );
}

/** Ids of the incidents that a digest counts, at most `limit`. */
export async function findGatheredIncidents(database: Pick<Database, 'rows'>, webhookId: string, limit: number): Promise<string[]> {
  const found = await database.rows<{ id: string }>(
    `SELECT DISTINCT g.incident_id AS id FROM webhook_gathered g WHERE g.webhook_id = $1 ORDER BY 1 LIMIT $2`,
    webhookId,
    limit,
  );
  return found.map(({ id }) => id);
}

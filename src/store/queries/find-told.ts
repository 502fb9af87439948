import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import type { Told } from '../webhook.js';

/** What a webhook's receiver believes of an incident. */
export interface ToldRow extends Told {
  webhookId: string;
  incidentId: string;
  clusterId: number;
}

const COLUMNS = `t.webhook_id AS "webhookId", t.incident_id AS "incidentId", t.cluster_id AS "clusterId", t.state, t.kind, ${ms('t.due_at')} AS "dueAt",
  ${ms('t.recovered_at')} AS "recoveredAt", t.delivery_id AS "deliveryId", t.counted`;

/** What receivers believe of some incidents. */
export function findTold(database: Pick<Database, 'rows'>, incidentIds: readonly string[]): Promise<ToldRow[]> {
  return database.rows<ToldRow & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM webhook_told t WHERE t.incident_id = ANY($1::uuid[])`,
    incidentIds,
  );
}

/**
 * Failures that have been held long enough, the longest waiting first, and all of clusters that are being removed; those of webhooks that
 * are switched off wait on.
 */
export function findDueTold(database: Pick<Database, 'rows'>, now: number, limit: number): Promise<ToldRow[]> {
  return database.rows<ToldRow & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM webhook_told t JOIN webhook w ON w.id = t.webhook_id AND w.enabled
     WHERE (t.state = 'held' AND t.due_at <= to_timestamp($1::float8 / 1000.0))
       OR (t.state <> 'recovered' AND t.cluster_id = ANY(ARRAY(SELECT c.id FROM cluster c WHERE c.removing_at IS NOT NULL)))
     ORDER BY t.due_at LIMIT $2`,
    now,
    limit,
  );
}

/** Failures that were told, or are held, and have ended without the change having been read: of incidents that are resolved or gone. */
export function findEndedTold(database: Pick<Database, 'rows'>, limit: number): Promise<ToldRow[]> {
  return database.rows<ToldRow & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM webhook_told t JOIN webhook w ON w.id = t.webhook_id AND w.enabled LEFT JOIN incident i ON i.id = t.incident_id
     WHERE t.state <> 'recovered' AND (i.id IS NULL OR i.status = 'resolved') LIMIT $1`,
    limit,
  );
}

import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import type { Webhook } from '../webhook.js';

const COLUMNS = `w.id, w.name, w.preset, w.target, w.sealed, w.has_secret AS "hasSecret", w.header_names AS "headerNames", w.template, w.filter, w.kinds,
  w.locale, w.hold_seconds AS "holdSeconds", w.flap_seconds AS "flapSeconds", w.storm_count AS "stormCount", w.storm_seconds AS "stormSeconds", w.enabled,
  ${ms('w.since')} AS since, ${ms('w.created_at')} AS "createdAt", ${ms('w.updated_at')} AS "updatedAt", ${ms('w.window_at')} AS "windowAt",
  w.window_count AS "windowCount", w.storm_id AS "stormId", ${ms('w.storm_at')} AS "stormAt"`;

/** Finds webhooks by name: all, or those of some ids. There are at most a hundred. */
export function findWebhooks(database: Pick<Database, 'rows'>, ids?: readonly string[]): Promise<Webhook[]> {
  return database.rows<Webhook & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM webhook w WHERE $1::uuid[] IS NULL OR w.id = ANY($1::uuid[]) ORDER BY w.name`,
    ids ?? null,
  );
}

import type { Database } from '../database.service.js';
import type { ClaimedDelivery } from '../webhook.js';

/**
 * Takes due messages of a webhook for sending, for `lease` milliseconds: who dies with them leaves them to others then. A message
 * waits for those of the same incident before it, and for the one that it follows. Of two senders each gets messages of its own.
 */
export function claimDeliveries(
  database: Pick<Database, 'rows'>,
  webhookId: string,
  limit: number,
  lease: number,
): Promise<ClaimedDelivery[]> {
  return database.rows<ClaimedDelivery & Record<string, unknown>>(
    `WITH due AS (
       SELECT d.id FROM webhook_delivery d
       WHERE d.webhook_id = $1 AND d.status = 'pending' AND d.next_at <= clock_timestamp()
         AND NOT EXISTS (
           SELECT FROM webhook_delivery e
           WHERE e.webhook_id = d.webhook_id AND e.incident_id = d.incident_id AND e.status = 'pending' AND e.seq < d.seq)
         AND NOT EXISTS (SELECT FROM webhook_delivery a WHERE a.id = d.about AND a.status = 'pending')
       ORDER BY d.next_at, d.seq LIMIT $2
       FOR UPDATE OF d SKIP LOCKED)
     UPDATE webhook_delivery d SET attempts = d.attempts + 1, next_at = clock_timestamp() + $3 * interval '1 ms'
     FROM due WHERE d.id = due.id AND d.status = 'pending' AND d.next_at <= clock_timestamp()
     RETURNING d.id, d.webhook_id AS "webhookId", d.kind, d.body, d.attempts,
       (extract(epoch FROM clock_timestamp() - d.queued_at) * 1000)::float8 AS age,
       (SELECT a.status FROM webhook_delivery a WHERE a.id = d.about) AS "aboutStatus"`,
    webhookId,
    limit,
    lease,
  );
}

/** Webhooks that have something to send now, and where to. Only of those that are enabled. */
export function findDueWebhooks(database: Pick<Database, 'rows'>): Promise<{ id: string; target: string }[]> {
  return database.rows<{ id: string; target: string }>(
    `SELECT w.id, w.target FROM webhook w WHERE w.enabled AND EXISTS (
       SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_at <= clock_timestamp())`,
  );
}

import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import type { DeliveryRecord } from '../webhook.js';

/** Which messages to list. */
export interface DeliveryWish {
  status?: DeliveryRecord['status'] | undefined;
  webhookId?: string | undefined;
  ids?: readonly string[] | undefined;
}

/** Part of the list, the newest first. */
export interface DeliveryPage extends DeliveryWish {
  limit: number;
  /** Number of the last row of the page before. */
  after?: string | undefined;
}

function where({ status, webhookId, ids }: DeliveryWish, put: (value: unknown) => string): string[] {
  return [
    ...(status === undefined ? [] : [`d.status = ${put(status)}`]),
    ...(webhookId === undefined ? [] : [`d.webhook_id = ${put(webhookId)}::uuid`]),
    ...(ids === undefined ? [] : [`d.id = ANY(${put(ids)}::uuid[])`]),
  ];
}

/** Lists messages, the newest first. */
export function findDeliveries(database: Pick<Database, 'rows'>, { limit, after, ...wish }: DeliveryPage): Promise<DeliveryRecord[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = where(wish, put);
  if (after !== undefined) conditions.push(`d.seq < ${put(after)}::bigint`);
  return database.rows<DeliveryRecord & Record<string, unknown>>(
    `SELECT d.id, d.seq::text AS seq, d.webhook_id AS "webhookId", w.name AS "webhookName", d.incident_id AS "incidentId", d.kind, d.status, d.attempts,
       ${ms('d.created_at')} AS "createdAt", CASE WHEN d.status = 'pending' THEN ${ms('d.next_at')} END AS "nextAt", ${ms('d.done_at')} AS "doneAt",
       d.answer_code AS "answerCode", d.answer, d.error
     FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
     WHERE ${conditions.length > 0 ? conditions.join(' AND ') : 'true'} ORDER BY d.seq DESC LIMIT ${put(limit)}`,
    ...params,
  );
}

/** Counts the messages of a list. */
export async function countDeliveries(database: Pick<Database, 'rows'>, wish: DeliveryWish): Promise<number> {
  const params: unknown[] = [];
  const conditions = where(wish, (value) => `$${params.push(value)}`);
  const [row] = await database.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhook_delivery d WHERE ${conditions.length > 0 ? conditions.join(' AND ') : 'true'}`,
    ...params,
  );
  return row!.count;
}

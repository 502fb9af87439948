import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from './database.service.js';
import type { DeliveryPage, DeliveryWish } from './queries/find-deliveries.js';
import { countDeliveries, findDeliveries } from './queries/find-deliveries.js';
import { findWebhooks } from './queries/find-webhooks.js';
import { ms, rows } from './rows.js';
import { Sealer } from './seal.service.js';
import { claimDeliveries, findDueWebhooks } from './statements/claim-deliveries.js';
import { finishDelivery } from './statements/finish-delivery.js';
import { putWebhook } from './statements/put-webhook.js';
import type { ClaimedDelivery, DeliveryRecord, NewDelivery, Outcome, Webhook, WebhookSecrets, WebhookSettings } from './webhook.js';
import { WebhookConflictError, WebhookUnknownError } from './webhook.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

const CHUNK = 5000;

/** What is known of the outbox as a whole. */
export interface OutboxState {
  pending: number;
  dead: number;
  /** Age of the oldest message that waits, milliseconds; 0 when none does. */
  oldest: number;
}

/** Webhooks and their messages. */
@Injectable()
export class WebhookRepository {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  list(): Promise<Webhook[]> {
    return findWebhooks(this.database);
  }

  /** @throws WebhookUnknownError */
  async get(id: string): Promise<Webhook> {
    const [found] = await findWebhooks(this.database, [id]);
    if (!found) throw new WebhookUnknownError(`There is no webhook ${id}.`);
    return found;
  }

  /** The address, secret and headers. Throws SealError SECRET_UNREADABLE. */
  secretsOf({ id, sealed }: Pick<Webhook, 'id' | 'sealed'>): WebhookSecrets {
    return JSON.parse(this.sealer.open(sealed, purposeOf(id))) as WebhookSecrets;
  }

  /**
   * @param most the most webhooks there may be
   * @throws SealError NO_SECRET_KEY; WebhookConflictError when the name is taken or there are too many
   */
  async create(settings: WebhookSettings, secrets: WebhookSecrets, target: string, most: number): Promise<Webhook> {
    const id = randomUUID();
    const sealed = this.sealer.seal(JSON.stringify(secrets), purposeOf(id));
    await this.database.transaction(async (connection) => {
      await rows(connection, 'SELECT pg_advisory_xact_lock($1)', ADVISORY_LOCKS.webhooks);
      const [row] = await rows<{ count: number }>(connection, 'SELECT count(*)::integer AS count FROM webhook');
      if (row!.count >= most) throw new WebhookConflictError(`There are ${most} webhooks already, which is the most.`);
      await putWebhook(connection, id, { settings, secrets, sealed, target });
    });
    return this.get(id);
  }

  /** Puts all settings anew. Throws as `create`, and WebhookUnknownError. */
  async update(id: string, settings: WebhookSettings, secrets: WebhookSecrets, target: string): Promise<Webhook> {
    const sealed = this.sealer.seal(JSON.stringify(secrets), purposeOf(id));
    await this.get(id);
    await this.database.session((connection) => putWebhook(connection, id, { settings, secrets, sealed, target }));
    return this.get(id);
  }

  /** Deletes a webhook with its messages. Throws WebhookUnknownError. */
  async delete(id: string): Promise<Webhook> {
    const webhook = await this.get(id);
    await this.database.rows('DELETE FROM webhook WHERE id = $1', id);
    return webhook;
  }

  due(): Promise<{ id: string; target: string }[]> {
    return findDueWebhooks(this.database);
  }

  claim(webhookId: string, limit: number, lease: number): Promise<ClaimedDelivery[]> {
    return claimDeliveries(this.database, webhookId, limit, lease);
  }

  finish(delivery: Pick<ClaimedDelivery, 'id' | 'attempts'>, outcome: Outcome): Promise<boolean> {
    return finishDelivery(this.database, delivery, outcome);
  }

  /** Adds a message that is already taken for sending, for `lease` milliseconds. */
  async addClaimed({ id, webhookId, kind, body }: Pick<NewDelivery, 'id' | 'webhookId' | 'kind' | 'body'>, lease: number): Promise<void> {
    await this.database.rows(
      `INSERT INTO webhook_delivery (id, webhook_id, kind, body, attempts, next_at) VALUES ($1, $2, $3, $4, 1, clock_timestamp() + $5 * interval '1 ms')`,
      id,
      webhookId,
      kind,
      body,
      lease,
    );
  }

  deliveries(page: DeliveryPage): Promise<DeliveryRecord[]> {
    return findDeliveries(this.database, page);
  }

  countDeliveries(wish: DeliveryWish): Promise<number> {
    return countDeliveries(this.database, wish);
  }

  /**
   * Has dead messages sent again, in their order: one with what follows it, or the oldest `limit` of a webhook. One whose incident has had
   * a later message delivered stays dead: it would tell what is not so any more. Returns how many.
   */
  async resend(of: { id: string } | { webhookId: string }, limit: number): Promise<number> {
    const condition = 'id' in of ? '$1::uuid IN (d.id, d.about)' : 'd.webhook_id = $1::uuid';
    const found = await this.database.rows(
      `UPDATE webhook_delivery d SET status = 'pending', attempts = 0, queued_at = clock_timestamp(), next_at = clock_timestamp(), done_at = NULL
       WHERE d.id = ANY(ARRAY(SELECT d.id FROM webhook_delivery d WHERE ${condition} AND d.status = 'dead'
           AND NOT EXISTS (SELECT FROM webhook_delivery e
                           WHERE e.webhook_id = d.webhook_id AND e.incident_id = d.incident_id AND e.status = 'delivered' AND e.seq > d.seq)
         ORDER BY d.seq LIMIT $2))
         AND d.status = 'dead' RETURNING 1`,
      'id' in of ? of.id : of.webhookId,
      limit,
    );
    return found.length;
  }

  /** Gives up messages that have waited for longer than `age` milliseconds, also those of webhooks that are switched off. Returns how many. */
  async giveUp(age: number, error: string): Promise<number> {
    const found = await this.database.rows(
      `UPDATE webhook_delivery d SET status = 'dead', done_at = clock_timestamp(), error = $2
       WHERE d.id = ANY(ARRAY(SELECT e.id FROM webhook_delivery e WHERE e.status = 'pending' AND e.queued_at < clock_timestamp() - $1 * interval '1 ms'
         ORDER BY e.queued_at LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      age,
      error,
    );
    return found.length;
  }

  /**
   * Drops messages that were done with more than `days` ago, but not a digest some of whose failures last. With a failure that never arrived goes what its receiver was thought to
   * know, so that the recovery is not told either.
   */
  async dropOld(days: number): Promise<number> {
    for (let total = 0; ;) {
      const [row] = await this.database.rows<{ count: number }>(
        `WITH gone AS (
           DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
             SELECT d.id FROM webhook_delivery d WHERE d.status <> 'pending' AND d.done_at < now() - $1 * interval '1 day'
               AND NOT (d.kind = 'DIGEST' AND d.status = 'delivered'
                        AND EXISTS (SELECT FROM webhook_told t WHERE t.delivery_id = d.id AND t.state = 'told'))
             ORDER BY d.done_at LIMIT ${CHUNK}))
           RETURNING id, status
         ), forgotten AS (
           DELETE FROM webhook_told t USING gone WHERE t.delivery_id = gone.id AND gone.status = 'dead' AND t.state = 'told'
         ) SELECT count(*)::integer AS count FROM gone`,
        days,
      );
      total += row!.count;
      if (row!.count < CHUNK) return total;
    }
  }

  async state(): Promise<OutboxState> {
    const [row] = await this.database.rows<OutboxState & Record<string, unknown>>(
      `SELECT (SELECT count(*)::integer FROM webhook_delivery d WHERE d.status = 'pending') AS pending,
         (SELECT count(*)::integer FROM webhook_delivery d WHERE d.status = 'dead') AS dead,
         COALESCE((SELECT ${ms('clock_timestamp()')} - ${ms('min(d.queued_at)')} FROM webhook_delivery d WHERE d.status = 'pending'), 0) AS oldest`,
    );
    return row!;
  }
}

/** What the secrets of a webhook are sealed for: they open for no other. */
function purposeOf(id: string): string {
  return `webhook/${id}`;
}

import { Injectable } from '@nestjs/common';
import { EVERYTHING } from '../platform/scope.js';
import type { ChangePosition } from './change-position.js';
import { Database } from './database.service.js';
import type { GatheredCount } from './queries/find-gathered.js';
import { countGathered, findGatheredIncidents } from './queries/find-gathered.js';
import type { ChangeBatch } from './queries/find-incident-changes.js';
import { findIncidentChanges, findLatestPosition } from './queries/find-incident-changes.js';
import type { IncidentFilter } from './queries/incident-where.js';
import type { IncidentOrGone } from './queries/match-incidents.js';
import { matchIncidents, readIncidents } from './queries/match-incidents.js';
import type { ToldRow } from './queries/find-told.js';
import { findDueTold, findEndedTold, findTold } from './queries/find-told.js';
import { findWebhooks } from './queries/find-webhooks.js';
import type { Connection } from './rows.js';
import { ms, rows } from './rows.js';
import type { Gathered, ToldChange } from './statements/write-messages.js';
import { emptyGathered, insertDeliveries, insertGathered, writeTold, writeWindows } from './statements/write-messages.js';
import type { NewDelivery, Webhook } from './webhook.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/** Everything that a turn writes, in one transaction with the position. */
export interface TurnResult {
  told: ToldChange[];
  deliveries: NewDelivery[];
  gathered: Gathered[];
  windows: Pick<Webhook, 'id' | 'windowAt' | 'windowCount' | 'stormId' | 'stormAt'>[];
  /** Webhooks whose gathered changes have become a digest: all of them, or those of some incidents. */
  emptied: { webhookId: string; incidentIds: string[] | null }[];
}

/** One replica's turn at turning changes into messages; nobody else has one until it ends. */
export class OutboxTurn {
  readonly #database: Pick<Database, 'rows'>;

  constructor(private readonly connection: Connection) {
    this.#database = { rows: (sql, ...params) => rows(connection, sql, ...params) };
  }

  /** By the database's clock, milliseconds since the epoch. */
  async now(): Promise<number> {
    const [row] = await this.#database.rows<{ now: number }>(`SELECT ${ms('clock_timestamp()')} AS now`);
    return row!.now;
  }

  webhooks(): Promise<Webhook[]> {
    return findWebhooks(this.#database);
  }

  /** Where the last turn ended; undefined before the first one. */
  async position(): Promise<ChangePosition | undefined> {
    const [row] = await this.#database.rows<{ xid: string; seq: string }>(
      'SELECT p.xid::text AS xid, p.seq::text AS seq FROM webhook_position p',
    );
    return row && { xid: row.xid, seq: row.seq };
  }

  latestPosition(): Promise<ChangePosition> {
    return findLatestPosition(this.#database);
  }

  /** Throws ChangesExpiredError when some have been dropped. */
  changesAfter(position: ChangePosition, limit: number): Promise<ChangeBatch> {
    return findIncidentChanges(this.#database, position, limit);
  }

  incidents(ids: readonly string[]): Promise<Map<string, IncidentOrGone>> {
    return readIncidents(this.#database, ids);
  }

  /** Which of some incidents a webhook's filter holds; a webhook is for all that there is. */
  matching(ids: readonly string[], filter: IncidentFilter): Promise<Set<string>> {
    return matchIncidents(this.#database, ids, filter, EVERYTHING);
  }

  told(incidentIds: readonly string[]): Promise<ToldRow[]> {
    return findTold(this.#database, incidentIds);
  }

  dueTold(now: number, limit: number): Promise<ToldRow[]> {
    return findDueTold(this.#database, now, limit);
  }

  endedTold(limit: number): Promise<ToldRow[]> {
    return findEndedTold(this.#database, limit);
  }

  gathered(webhookId: string): Promise<GatheredCount[]> {
    return countGathered(this.#database, webhookId);
  }

  gatheredIncidents(webhookId: string, limit: number): Promise<string[]> {
    return findGatheredIncidents(this.#database, webhookId, limit);
  }

  clusters(): Promise<{ id: number; name: string; removing: boolean }[]> {
    return this.#database.rows('SELECT c.id, c.name, c.removing_at IS NOT NULL AS removing FROM cluster c');
  }

  /** How many messages of each webhook wait. */
  async waiting(): Promise<Map<string, number>> {
    const found = await this.#database.rows<{ id: string; count: number }>(
      `SELECT d.webhook_id AS id, count(*)::integer AS count FROM webhook_delivery d WHERE d.status = 'pending' GROUP BY 1`,
    );
    return new Map(found.map(({ id, count }) => [id, count]));
  }

  /** Of some digests those all of whose failures have been told to have ended. */
  async endedDigests(ids: readonly string[]): Promise<{ id: string; webhookId: string }[]> {
    return this.#database.rows<{ id: string; webhookId: string }>(
      `SELECT d.id, d.webhook_id AS "webhookId" FROM webhook_delivery d WHERE d.id = ANY($1::uuid[]) AND d.kind = 'DIGEST'
         AND NOT EXISTS (SELECT FROM webhook_told t WHERE t.delivery_id = d.id AND t.state = 'told')`,
      ids,
    );
  }

  async write({ told, deliveries, gathered, windows, emptied }: TurnResult): Promise<void> {
    await writeTold(this.connection, told);
    await insertDeliveries(this.connection, deliveries);
    await emptyGathered(this.connection, emptied);
    await insertGathered(this.connection, gathered);
    await writeWindows(this.connection, windows);
  }

  /** Queues messages that follow from what was written. */
  queue(deliveries: readonly NewDelivery[]): Promise<void> {
    return insertDeliveries(this.connection, deliveries);
  }

  async move({ xid, seq }: ChangePosition): Promise<void> {
    await rows(
      this.connection,
      `INSERT INTO webhook_position (singleton, xid, seq) VALUES (true, $1::xid8, $2::bigint)
       ON CONFLICT (singleton) DO UPDATE SET xid = EXCLUDED.xid, seq = EXCLUDED.seq`,
      xid,
      seq,
    );
  }
}

/** Turns of replicas at turning changes into messages. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly database: Database) {}

  /**
   * Runs a turn in a transaction; undefined when another replica has one, until it ends or its connection does. The lock gives the
   * transaction no id: what it reads first is not held back by itself.
   */
  turn<T>(work: (turn: OutboxTurn) => Promise<T>): Promise<T | undefined> {
    return this.database.transaction(async (connection) => {
      const [row] = await rows<{ free: boolean }>(connection, 'SELECT pg_try_advisory_xact_lock($1) AS free', ADVISORY_LOCKS.outboxTurn);
      return row!.free ? work(new OutboxTurn(connection)) : undefined;
    });
  }
}

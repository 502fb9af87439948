import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { Database } from './database.service.js';

const CHANNEL = 'casebook_incident_change';
/** Pauses between attempts to connect, milliseconds: doubled from the first to the last. */
const RETRY = { first: 250, last: 15_000 };

/**
 * Hears of changes of incidents, whichever process made them, on one connection of its own, open while anybody listens.
 * A call may come for nothing and may be missed when the connection breaks: whoever reads keeps a position and looks now and then.
 */
@Injectable()
export class ChangeListener implements OnApplicationShutdown {
  readonly #listeners = new Set<() => void>();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pause: number = RETRY.first;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Calls back after every transaction that changed incidents, and whenever calls may have been missed. Returns how to stop. */
  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    if (this.#listeners.size === 1) this.#connect();
    return () => {
      if (this.#listeners.delete(onChange) && this.#listeners.size === 0) void this.#close();
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.#listeners.clear();
    await this.#close();
  }

  #connect(): void {
    const { connectionString } = this.database.pool.options;
    const client = new pg.Client({
      connectionString,
      application_name: 'casebook-listen',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    this.#client = client;
    client.on('notification', () => this.#tell());
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    void this.#begin(client);
  }

  async #begin(client: pg.Client): Promise<void> {
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#pause = RETRY.first;
      // What happened before is not told any more.
      this.#tell();
    } catch (error) {
      this.#lost(client, error);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void end(client);
    this.logger.warn({ err: error, againInMs: this.#pause }, 'the connection that hears of changes broke; they are looked for meanwhile');
    this.#retry = setTimeout(() => this.#connect(), this.#pause);
    this.#retry.unref();
    this.#pause = Math.min(RETRY.last, this.#pause * 2);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#pause = RETRY.first;
    const client = this.#client;
    this.#client = undefined;
    if (client) await end(client);
  }
}

/** A connection that broke cannot say goodbye; that it is gone is all we want. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}

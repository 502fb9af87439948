import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Connection } from './rows.js';

/** How to reach PostgreSQL. */
export interface DatabaseOptions {
  url: string;
  /** Most connections at a time. */
  pool: number;
}

/** The database cannot be reached or is shutting down; the same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
}

/** The pool of connections to PostgreSQL, and transactions over it. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor({ url, pool }: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: pool,
      application_name: 'casebook',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // A connection that breaks while it is idle is replaced by the pool; the next query tells if the server is gone.
    this.pool.on('error', () => undefined);
  }

  /** Runs `work` in one transaction; committed, and durable, when the promise resolves. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.session(async (connection) => {
      await connection.query('BEGIN');
      try {
        const result = await work(connection);
        await connection.query('COMMIT');
        return result;
      } catch (error) {
        // On a lost connection this fails too; the server has rolled back by itself then.
        await connection.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Runs `work` on one connection; one that broke is thrown away. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    let broken: Error | undefined;
    // A connection that breaks between two queries says so by an event; without a listener that would end the process.
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      broken ??= error as Error;
      throw unavailable(error);
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Runs one statement outside any transaction. */
  async rows<Row extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(sql, params)).rows;
    } catch (error) {
      throw isConnectionLoss(error) ? unavailable(error) : error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

function unavailable(error: unknown): DatabaseUnavailableError {
  return new DatabaseUnavailableError(`the database did not answer: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/**
 * PostgreSQL's codes for a server that cannot do now what it will be able to do later: 08, 57P, 55000, 28 and 3D000 for a lost or refused
 * connection, 53 and 58 for a full disk and the like, 25006 for a primary that has just become a standby, 40P01 and 40001 for a
 * transaction that lost against another.
 */
export const PASSING_CODE = /^(08|28|53|57P|58|25006|3D000|40001|40P01|55000)/;

function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    PASSING_CODE.test(code ?? '') ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/.test(code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(message ?? '')
  );
}

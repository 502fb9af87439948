import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Metrics } from '../platform/metrics.service.js';
import { currentContext, withSpan } from '../platform/work-context.service.js';
import { FairTurns, NoTurnError } from './fair-turns.service.js';
import type { DatabaseMeter } from './measure-database.js';
import { measureDatabase } from './measure-database.js';
import type { Connection } from './rows.js';
import { savepoint, shareConnection, sharedConnection } from './together.service.js';
import { DATABASE_SPAN, tracedConnection, traceStatement } from './trace-statements.service.js';

/** How to reach PostgreSQL. */
export interface DatabaseOptions {
  url: string;
  /** Most connections at a time, those of `reads` not counted. */
  pool: number;
  /** How what callers ask for is read; default: over the same connections as all else, for as long as it takes. */
  reads?: ReadOptions;
}

/** How what callers ask for is read. */
export interface ReadOptions {
  /** Most connections at a time. */
  pool: number;
  /** Longest time of one statement, milliseconds. */
  timeout: number;
}

/** The database cannot be reached or is shutting down; the same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
}

/** A question took the database longer than answers may take; asked for less, it may be answered. */
export class ReadTimeoutError extends Error {
  readonly code = 'READ_TIMEOUT';
}

/** All connections for reading were taken by other questions for too long. */
export class ReadsBusyError extends Error {
  readonly code = 'READS_BUSY';
}

/** The pool of connections to PostgreSQL, and transactions over it. */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;
  /** For what callers ask for: however heavy that is, the connections of all other work are not taken for it. */
  readonly reads: Reads;
  readonly #meter: DatabaseMeter | undefined;

  /** Told among the metrics, if there are any. */
  constructor({ url, pool, reads }: DatabaseOptions, metrics?: Metrics) {
    this.pool = createPool(url, pool);
    this.reads = new Reads(reads ? createPool(url, reads.pool, reads.timeout) : this.pool, this.pool);
    this.#meter = metrics && measureDatabase(metrics, { work: { pool: this.pool }, ...(reads && { reads: this.reads }) });
  }

  /** Runs `work` in one transaction; committed, and durable, when the promise resolves. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return withSpan('transaction', DATABASE_SPAN, () => this.#transaction(work));
  }

  /**
   * Runs `work` in one transaction that everything takes part in which it does over this database, whoever does it; committed, and
   * durable, when the promise resolves.
   */
  async together<T>(work: () => Promise<T>): Promise<T> {
    const { pool } = this;
    const after: (() => void)[] = [];
    const result = await this.transaction((connection) => shareConnection({ pool, connection, after }, work));
    for (const each of after) each();
    return result;
  }

  #transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const shared = sharedConnection(this.pool);
    if (shared) return savepoint(shared, work);
    return this.session(async (connection) => {
      const began = performance.now();
      await connection.query('BEGIN');
      try {
        const result = await work(connection);
        await connection.query('COMMIT');
        this.#meter?.ended('committed', performance.now() - began);
        return result;
      } catch (error) {
        // On a lost connection this fails too; the server has rolled back by itself then.
        await connection.query('ROLLBACK').catch(() => undefined);
        this.#meter?.ended('rolled_back', performance.now() - began);
        throw error;
      }
    });
  }

  /** Runs `work` on one connection; one that broke is thrown away. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const shared = sharedConnection(this.pool);
    if (shared) return work(shared);
    const asked = performance.now();
    const client = await this.pool.connect().catch((error: unknown) => {
      throw this.#unavailable(error);
    });
    this.#meter?.waited(performance.now() - asked);
    let broken: Error | undefined;
    // A connection that breaks between two queries says so by an event; without a listener that would end the process.
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      return await work(tracedConnection(client));
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      broken ??= error as Error;
      throw this.#unavailable(error);
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Runs one statement, outside any transaction unless one is shared. */
  async rows<Row extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<Row[]> {
    try {
      const connection = sharedConnection(this.pool);
      return (await (connection ? connection.query<Row>(sql, params) : traceStatement(sql, () => this.pool.query<Row>(sql, params)))).rows;
    } catch (error) {
      throw isConnectionLoss(error) ? this.#unavailable(error) : error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.reads.pool !== this.pool) await this.reads.pool.end();
    await this.pool.end();
  }

  #unavailable(error: unknown): DatabaseUnavailableError {
    this.#meter?.unavailable(error);
    return unavailable(error);
  }
}

/** Reads what callers ask for, each statement for as long as answers may take. */
export class Reads {
  /** The same without a limit of time: for the parts of an export, whose reader waits for them. */
  readonly patient: Pick<Reads, 'rows'> = { rows: (sql, ...params) => this.#patientRows(sql, params) };

  /** For the connections: no caller can take them all. */
  readonly turns: FairTurns;

  /** `work` is the pool of what is changed: what reads in the midst of a change has to see it. */
  constructor(
    readonly pool: pg.Pool,
    private readonly work: pg.Pool,
  ) {
    this.turns = new FairTurns({ turns: pool.options.max, patience: PATIENCE });
  }

  /**
   * Runs one statement.
   *
   * @throws ReadTimeoutError when it takes too long, ReadsBusyError when others do, DatabaseUnavailableError
   */
  async rows<Row extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<Row[]> {
    try {
      const connection = sharedConnection(this.work);
      if (connection) return (await connection.query<Row>(sql, params)).rows;
      return (await traceStatement(sql, () => this.#inTurn(() => this.pool.query<Row>(sql, params)))).rows;
    } catch (error) {
      throw this.#told(error);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.run(currentContext()?.caller, work);
  }

  async #patientRows<Row extends pg.QueryResultRow>(sql: string, params: unknown[]): Promise<Row[]> {
    try {
      return await this.#inTurn(() => this.#withoutLimit<Row>(sql, params));
    } catch (error) {
      throw this.#told(error);
    }
  }

  async #withoutLimit<Row extends pg.QueryResultRow>(sql: string, params: unknown[]): Promise<Row[]> {
    const client = await this.pool.connect();
    const onError = (): void => undefined;
    client.on('error', onError);
    let broken: unknown;
    try {
      await client.query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0');
      const { rows } = await traceStatement(sql, () => client.query<Row>(sql, params));
      await client.query('COMMIT');
      return rows;
    } catch (error) {
      broken = error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken !== undefined);
    }
  }

  #told(error: unknown): unknown {
    if ((error as { code?: string }).code === CANCELLED)
      return new ReadTimeoutError('It takes too long to answer this; ask for less: a shorter time, a narrower filter.');
    if (error instanceof NoTurnError) return new ReadsBusyError('other questions are being answered', { cause: error });
    return isConnectionLoss(error) ? unavailable(error) : error;
  }
}

/** PostgreSQL's code for a statement that ran into its timeout. */
const CANCELLED = '57014';
/** Longest wait for a connection, milliseconds. */
const PATIENCE = 10_000;

function createPool(connectionString: string, max: number, timeout?: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'casebook',
    connectionTimeoutMillis: PATIENCE,
    keepAlive: true,
    ...(timeout !== undefined && { onConnect: async (client) => void (await client.query(readSettings(timeout))) }),
  });
  // A connection that breaks while it is idle is replaced by the pool; the next query tells if the server is gone.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Settings of connections for reading, as statements: poolers between us and the server refuse them as parameters of the connection. Sums over 90
 * days by problem need more memory than PostgreSQL gives them by default; who gives more keeps it. Compiling a statement takes longer than these run.
 */
function readSettings(timeout: number): string {
  return `SET statement_timeout = ${timeout}; SET jit = off;
    SELECT set_config('work_mem', '16MB', false) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('16MB')`;
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

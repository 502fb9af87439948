import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { withSpan } from '../platform/work-context.service.js';
import { Database, DatabaseUnavailableError, PASSING_CODE } from './database.service.js';
import { PrismaClient } from './generated/client.js';
import { takingPart } from './together.service.js';
import { DATABASE_SPAN } from './trace-statements.service.js';

/** Prisma's words for a database that cannot be reached, refuses connections or ended one. */
const UNAVAILABLE = new Set(['P1000', 'P1001', 'P1002', 'P1003', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);

/** What Prisma tells of an error of PostgreSQL. */
interface AdapterCause {
  originalCode?: string;
}

/** The Prisma client, on the same pool of connections as everything else. For the registry; lists and intake use SQL. */
@Injectable()
export class Prisma implements OnApplicationShutdown {
  readonly #client: PrismaClient;

  constructor(database: Database) {
    this.#client = new PrismaClient({ adapter: new PrismaPg(takingPart(database.pool), { disposeExternalPool: false }) });
  }

  /**
   * Runs a query.
   *
   * @throws DatabaseUnavailableError when the database does not answer; else what Prisma throws
   */
  async run<T>(query: (client: PrismaClient) => Promise<T>): Promise<T> {
    try {
      return await withSpan('registry', DATABASE_SPAN, () => query(this.#client));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw new DatabaseUnavailableError('the database did not answer', { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#client.$disconnect();
  }
}

function isUnavailable(error: unknown): boolean {
  const { code, message, meta } = error as { code?: string; message?: string; meta?: { driverAdapterError?: { cause?: AdapterCause } } };
  return (
    UNAVAILABLE.has(code ?? '') ||
    PASSING_CODE.test(meta?.driverAdapterError?.cause?.originalCode ?? '') ||
    /ECONN|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded|the database system is/.test(message ?? '')
  );
}

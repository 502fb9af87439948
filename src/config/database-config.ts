import type { z } from 'zod';

/** How much of PostgreSQL is used. */
export interface DatabaseConfig {
  /**
   * `CASEBOOK_DATABASE_POOL`: most connections at a time, 3 to 50. Two in five, at least one, are for what callers read, the others for all
   * else: at least two, because one may be held for hours by work that only one replica does and that needs another. Default 10.
   */
  pool: { reads: number; others: number };
  /** `CASEBOOK_READ_TIMEOUT_MS`: longest time of one statement that reads what a caller asked for, 100 to 600,000 milliseconds. Default 10,000. */
  readTimeout: number;
}

/** The variables of the database; `integer` makes one that is a whole number. */
export function databaseVariables<T extends z.ZodType<number>>(integer: (least: number, most: number) => T) {
  return {
    CASEBOOK_DATABASE_POOL: integer(3, 50).optional(),
    CASEBOOK_READ_TIMEOUT_MS: integer(100, 600_000).optional(),
  };
}

/** What the variables of the database say. */
export function databaseConfig(value: {
  CASEBOOK_DATABASE_POOL?: number | undefined;
  CASEBOOK_READ_TIMEOUT_MS?: number | undefined;
}): DatabaseConfig {
  const all = value.CASEBOOK_DATABASE_POOL ?? 10;
  const reads = Math.max(1, Math.floor((all * 2) / 5));
  return { pool: { reads, others: all - reads }, readTimeout: value.CASEBOOK_READ_TIMEOUT_MS ?? 10_000 };
}

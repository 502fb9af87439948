import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { Database } from './database.service.js';
import { rows } from './rows.js';
import { sumEverywhere } from './statements/sum-everywhere.js';

/** Hours of one transaction: two seconds where 400 problems are in 50 clusters all day, and no batch waits for it. */
export const HOURS_OF_STEP = 24;

/** Keeps the sums over all clusters. They are right at any time, and read faster where no hour was touched since they were made. */
@Injectable()
export class EverywhereRepository {
  constructor(private readonly database: Database) {}

  /** Makes the sums of some hours anew. Returns how many; 0 when none was touched, or another process is at it. */
  step(hours: number = HOURS_OF_STEP): Promise<number> {
    return this.database.transaction(async (connection) => {
      const [lock] = await rows<{ taken: boolean }>(connection, 'SELECT pg_try_advisory_xact_lock($1) AS taken', ADVISORY_LOCKS.everywhere);
      return lock!.taken ? sumEverywhere(connection, hours) : 0;
    });
  }
}

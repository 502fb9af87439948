import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { RejectedOf, RejectedPage, RejectedRecord } from './queries/find-rejected.js';
import { countRejected, findRejected } from './queries/find-rejected.js';
import type { NewRejected } from './statements/insert-rejected.js';
import { insertRejected } from './statements/insert-rejected.js';
import { trimAllRejected, trimRejected } from './statements/trim-rejected.js';

/** Most rows of one cluster or of all unknown names together, beside them of strangers, and of everything. */
export const MOST_REJECTED = { ofCluster: 1000, ofStrangers: 50, ofAll: 50_000 } as const;

/** Rows deleted by one statement. */
const CHUNK = 10_000;

/** Input that was refused, kept for a while: bounded by number for each cluster and over all, and by age. */
@Injectable()
export class RejectedRepository {
  constructor(private readonly database: Database) {}

  /** Keeps refused input, in the fold of what is alike. Returns how many of the oldest rows gave way to it. */
  keep(list: readonly NewRejected[]): Promise<number> {
    return this.database.transaction(async (connection) => {
      const clusterIds = await insertRejected(connection, list);
      return trimRejected(connection, clusterIds, MOST_REJECTED);
    });
  }

  /** Drops what is older than `days` or too much over all. Returns how many rows. */
  async dropOld(days: number): Promise<number> {
    let total = await this.database.session((connection) => trimAllRejected(connection, MOST_REJECTED.ofAll));
    for (;;) {
      const [dropped] = await this.database.rows<{ count: number }>(
        `WITH gone AS (
           DELETE FROM rejected_input WHERE id = ANY(ARRAY(
             SELECT r.id FROM rejected_input r WHERE r.last_at < now() - $1::integer * interval '1 day' ORDER BY r.last_at LIMIT ${CHUNK}
           )) RETURNING 1
         ) SELECT count(*)::integer AS count FROM gone`,
        days,
      );
      total += dropped!.count;
      if (dropped!.count < CHUNK) return total;
    }
  }

  /** Refused input after a position, latest first. */
  list(scope: Scope, page: RejectedPage): Promise<RejectedRecord[]> {
    return findRejected(this.database.reads, scope, page);
  }

  /** Number of rows of a list. */
  count(scope: Scope, of: RejectedOf): Promise<number> {
    return countRejected(this.database.reads, scope, of);
  }
}

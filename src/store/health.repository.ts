import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { ClusterSigns, SignsFilter, SilenceAfter } from './queries/find-cluster-signs.js';
import { findClusterSigns, STORED_AUTO } from './queries/find-cluster-signs.js';
import type { Pause } from './queries/find-pauses.js';
import { findPauses } from './queries/find-pauses.js';
import { keepServiceSpan } from './statements/keep-service-span.js';

/** Rows deleted by one statement. */
const CHUNK = 10_000;
/** A day more than pauses count for. */
const KEPT = `interval '8 days'`;

/** What clusters let hear of themselves, and when Casebook was there to listen. */
@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Signs of life of clusters, by name, in one statement. `now` in milliseconds since the epoch, null for the database's clock. */
  signs(scope: Scope, filter: SignsFilter = {}, now: number | null = null): Promise<ClusterSigns[]> {
    return findClusterSigns(this.database, scope, filter, now);
  }

  /** Pauses of each cluster of at least `least` milliseconds in the last seven days, latest first. */
  pauses(ids: readonly number[], which: { least: number; limit: number }, now: number | null = null): Promise<Map<number, Pause[]>> {
    return findPauses(this.database, ids, which, now);
  }

  /** Notes that Casebook is there. Returns the time, and since when it has been there without a pause, over all replicas. */
  keepSpan(now: number | null = null): Promise<{ now: number; since: number }> {
    return this.database.transaction((connection) => keepServiceSpan(connection, now));
  }

  /** Since when Casebook has been there without a pause, milliseconds since the epoch; null before the first note of it. */
  async upSince(): Promise<number | null> {
    const [span] = await this.database.rows<{ since: number }>(
      `SELECT (extract(epoch FROM started_at) * 1000)::float8 AS since FROM service_span ORDER BY started_at DESC LIMIT 1`,
    );
    return span?.since ?? null;
  }

  /** Sets when a cluster counts as silent; null for as the service is set. False when there is none of that name. */
  async setSilenceAfter(name: string, silenceAfter: SilenceAfter | null): Promise<boolean> {
    const stored = silenceAfter === 'auto' ? STORED_AUTO : silenceAfter;
    const found = await this.database.rows('UPDATE cluster SET silence_after_ms = $2 WHERE name = $1 RETURNING id', name, stored);
    return found.length > 0;
  }

  /** Drops counts that nothing asks for any more, in portions. Returns how many rows. */
  async dropOld(): Promise<number> {
    await this.database.rows(`DELETE FROM service_span WHERE last_at < now() - ${KEPT}`);
    let total = 0;
    for (;;) {
      const [deleted] = await this.database.rows<{ count: number }>(
        `WITH old AS (
           DELETE FROM cluster_minute WHERE ctid = ANY(ARRAY(SELECT ctid FROM cluster_minute WHERE minute < now() - ${KEPT} LIMIT ${CHUNK})) RETURNING 1
         ) SELECT count(*)::integer AS count FROM old`,
      );
      total += deleted!.count;
      if (deleted!.count < CHUNK) return total;
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { FoundPattern, PatternInCluster, UndiagnosedFilter } from './queries/find-undiagnosed.js';
import { findPatternsInClusters, findUndiagnosed } from './queries/find-undiagnosed.js';
import { dropUndiagnosed } from './statements/drop-undiagnosed.js';

/** What no problem explains, counted by pattern, cluster, namespace and day. */
@Injectable()
export class UndiagnosedRepository {
  constructor(private readonly database: Database) {}

  /** Patterns over all clusters in the scope, the most frequent first, at most `limit`. */
  patterns(scope: Scope, filter: UndiagnosedFilter, limit: number): Promise<FoundPattern[]> {
    return findUndiagnosed(this.database.reads, scope, filter, limit);
  }

  /** Patterns in each cluster of the scope. */
  inClusters(scope: Scope, filter: UndiagnosedFilter, hashes: readonly string[]): Promise<PatternInCluster[]> {
    return findPatternsInClusters(this.database.reads, scope, filter, hashes);
  }

  /**
   * Drops counts of days that are older than `days`, by the database's clock or by `now`, and patterns of which nothing is left, so that
   * their places are free. One short transaction for each cluster, as its one writer.
   */
  async dropOld(days: number, now: Date | null = null): Promise<void> {
    const clusters = await this.database.rows<{ id: number }>(
      'SELECT c.id FROM cluster c WHERE EXISTS (SELECT FROM undiagnosed_pattern p WHERE p.cluster_id = c.id) ORDER BY c.id',
    );
    for (const { id } of clusters) await this.database.transaction((connection) => dropUndiagnosed(connection, id, days, now));
  }
}

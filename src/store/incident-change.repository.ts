import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import type { ChangePosition } from './change-position.js';
import { Database } from './database.service.js';
import type { ChangeBatch } from './queries/find-incident-changes.js';
import { findIncidentChanges, findLatestPosition } from './queries/find-incident-changes.js';
import type { IncidentRecord } from './queries/incident-columns.js';
import type { IncidentFilter } from './queries/incident-where.js';
import { matchIncidents, readIncidents } from './queries/match-incidents.js';
import { lockCluster } from './statements/lock-cluster.js';
import { tellGrowth } from './statements/tell-growth.js';

const GROWTH_LIMIT = 2000;

/** The sequence of all changes of incidents, for whoever keeps a position in it. */
@Injectable()
export class IncidentChangeRepository {
  constructor(private readonly database: Database) {}

  /** Position of now: all changes that are committed from now on come after it, and no others. */
  latestPosition(): Promise<ChangePosition> {
    return findLatestPosition(this.database);
  }

  /**
   * Changes after a position in order, at most `limit`. A reader that goes on from `end` sees every change once.
   *
   * @throws ChangesExpiredError when some of them have been dropped
   */
  changesAfter(position: ChangePosition, limit: number): Promise<ChangeBatch> {
    return findIncidentChanges(this.database, position, limit);
  }

  /** Which of some incidents a filter lists to a caller of a scope, as they are now, or were when they went into another. */
  matching(ids: readonly string[], filter: IncidentFilter, scope: Scope): Promise<Set<string>> {
    return matchIncidents(this.database, ids, filter, scope);
  }

  /** Incidents by their ids, as they are now, or were when they went into another: only ids that `matching` returned for the caller. */
  incidents(ids: readonly string[]): Promise<Map<string, IncidentRecord>> {
    return readIncidents(this.database, ids);
  }

  /** Writes one change for each incident that has grown since the last call, however much. Returns how many. */
  async tellGrowth(): Promise<number> {
    const clusters = await this.database.rows<{ cluster_id: number }>('SELECT DISTINCT cluster_id FROM incident_growth');
    let total = 0;
    for (const { cluster_id: clusterId } of clusters) {
      for (let told = GROWTH_LIMIT; told === GROWTH_LIMIT; total += told) {
        told = await this.database.transaction(async (connection) => {
          // A cluster that is being removed has nobody to tell it to.
          if (!(await lockCluster(connection, clusterId, false))) return 0;
          return tellGrowth(connection, clusterId, GROWTH_LIMIT);
        });
      }
    }
    return total;
  }
}

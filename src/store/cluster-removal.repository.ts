import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import { findClusterTables } from './queries/find-cluster-tables.js';
import { Registrations } from './registrations.service.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { deleteOfCluster } from './statements/delete-of-cluster.js';

/** Rows of one transaction. Small, because rows that hang on them go with them, and because retention waits for the tables. */
const CHUNK = 5_000;

/** What one step of a removal did. */
export type RemovalStep =
  /** Rows were deleted and more may be left. */
  | 'some'
  /** Nothing is left of the cluster, its registration included. */
  | 'gone'
  /** Another process is at it. */
  | 'busy';

/** Deletes the data of clusters that are being removed, in steps of one short transaction each. */
@Injectable()
export class ClusterRemovalRepository {
  constructor(
    private readonly database: Database,
    private readonly registrations: Registrations,
  ) {}

  /** Clusters that are being removed, those that wait longest first. */
  async waiting(): Promise<{ id: number; name: string }[]> {
    return this.database.rows('SELECT c.id, c.name FROM cluster c WHERE c.removing_at IS NOT NULL ORDER BY c.removing_at, c.id');
  }

  /**
   * Deletes some rows of a cluster that is being removed; the registration itself goes when there are no others. No writer takes a
   * cluster that is being removed, so what was found empty stays so. An interrupted removal goes on where it was.
   */
  async step(clusterId: number, chunk: number = CHUNK): Promise<RemovalStep> {
    const step = await this.database.transaction(async (connection): Promise<RemovalStep> => {
      const [taken] = await rows<{ gone: boolean }>(
        connection,
        `SELECT set_config('enable_seqscan', 'off', true), NOT EXISTS (SELECT FROM cluster WHERE id = $1) AS gone`,
        clusterId,
      );
      if (taken!.gone) return 'gone';
      const locked = await rows(
        connection,
        'SELECT c.id FROM cluster c WHERE c.id = $1 AND c.removing_at IS NOT NULL FOR UPDATE SKIP LOCKED',
        clusterId,
      );
      if (locked.length === 0) return 'busy';
      return this.#delete(connection, clusterId, chunk);
    });
    if (step === 'gone') this.registrations.changed();
    return step;
  }

  async #delete(connection: Connection, clusterId: number, chunk: number): Promise<RemovalStep> {
    let left = chunk;
    for (const table of await findClusterTables(connection)) {
      left -= await deleteOfCluster(connection, table, clusterId, left);
      if (left <= 0) return 'some';
    }
    await rows(connection, 'DELETE FROM cluster WHERE id = $1', clusterId);
    return 'gone';
  }
}

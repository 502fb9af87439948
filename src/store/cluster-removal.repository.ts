import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import { findClusterTables } from './queries/find-cluster-tables.js';
import { Registrations } from './registrations.service.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { deleteOfCluster } from './statements/delete-of-cluster.js';

/** Rows of one transaction. Small, because rows that hang on them go with them, and because retention waits for the tables. */
const CHUNK = 5_000;

/**
 * Tables with rows of clusters that no foreign key ties to the cluster, and that are also written without holding it: by the jobs that
 * tell changes. All others are tied to it, or written only by those who hold it.
 */
export const WRITTEN_WITHOUT_CLUSTER = [
  'incident_change',
  'incident_growth',
  'webhook_told',
  'webhook_gathered',
  'webhook_delivery',
] as const;

/** How long a removal waits for receivers of webhooks to be told that the failures of the cluster are over. */
const TELL = '10 minutes';

/** What one step of a removal did. */
export type RemovalStep =
  /** Rows were deleted and more may be left. */
  | 'some'
  /** Nothing is left of the cluster, its registration included. */
  | 'gone'
  /** Another process is at it, or receivers of webhooks are still being told. */
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
      if (locked.length === 0 || (await isBeingTold(connection, clusterId))) return 'busy';
      return this.#delete(connection, clusterId, chunk);
    });
    if (step === 'gone') this.registrations.changed();
    return step;
  }

  /**
   * Deletes rows of clusters that are gone from tables that are written without taking the cluster: a writer that began before the
   * removal ended may have come after it. Returns how many.
   */
  async sweep(): Promise<number> {
    let total = 0;
    for (const table of WRITTEN_WITHOUT_CLUSTER) {
      const [swept] = await this.database.rows<{ count: number }>(
        `WITH gone AS (
           DELETE FROM ${table} t WHERE t.cluster_id IS NOT NULL AND NOT EXISTS (SELECT FROM cluster c WHERE c.id = t.cluster_id) RETURNING 1
         ) SELECT count(*)::integer AS count FROM gone`,
      );
      total += swept!.count;
    }
    return total;
  }

  async #delete(connection: Connection, clusterId: number, chunk: number): Promise<RemovalStep> {
    let left = chunk;
    for (const table of await findClusterTables(connection)) {
      left -= await deleteOfCluster(connection, table, clusterId, left);
      if (left <= 0) return 'some';
    }
    // What was refused while the cluster was being removed belongs to no cluster, but to its name.
    await rows(
      connection,
      'DELETE FROM rejected_input r USING cluster c WHERE c.id = $1 AND r.cluster_id IS NULL AND r.cluster_name = c.name',
      clusterId,
    );
    await rows(connection, 'DELETE FROM cluster WHERE id = $1', clusterId);
    return 'gone';
  }
}

/** Whether somebody who was told of failures of a cluster has still to be told that they are over. Nobody could be told afterwards. */
async function isBeingTold(connection: Connection, clusterId: number): Promise<boolean> {
  const [row] = await rows<{ told: boolean }>(
    connection,
    `SELECT c.removing_at > clock_timestamp() - interval '${TELL}' AND EXISTS (
       SELECT FROM webhook w WHERE w.enabled AND (
         EXISTS (SELECT FROM webhook_told t WHERE t.webhook_id = w.id AND t.cluster_id = c.id AND t.state = 'told')
         OR EXISTS (SELECT FROM webhook_gathered g WHERE g.webhook_id = w.id AND g.cluster_id = c.id)
         OR EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.cluster_id = c.id AND d.status = 'pending'))) AS told
     FROM cluster c WHERE c.id = $1`,
    clusterId,
  );
  return row!.told;
}

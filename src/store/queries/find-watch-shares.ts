import type { Database } from '../database.service.js';

/** A replica that is alive, and what it is able to watch. */
export interface WatchReplica {
  id: string;
  /** Clusters that its configuration names, by id. */
  configured: readonly number[];
  /** Whether it has the key that opens stored credentials. */
  opensStored: boolean;
}

/** A cluster that is to be watched. */
export interface SharedLease {
  clusterId: number;
  /** Whether a stored credential leads to it. */
  stored: boolean;
  /** The replica that holds it, by an unexpired lease; null when nobody does. */
  holder: string | null;
}

/**
 * Finds the live replicas and the clusters that they share, all by the database's clock; a cluster that is suspended or being removed
 * is not among them. For the replicas themselves, whom no scope binds.
 */
export async function findWatchShares(database: Pick<Database, 'rows'>): Promise<{ replicas: WatchReplica[]; leases: SharedLease[] }> {
  const [found] = await database.rows<{ replicas: WatchReplica[]; leases: SharedLease[] }>(
    `SELECT
       (SELECT coalesce(json_agg(json_build_object('id', r.id, 'configured', r.configured, 'opensStored', r.opens_stored)), '[]')
        FROM watch_replica r WHERE r.expires_at > clock_timestamp()) AS replicas,
       (SELECT coalesce(json_agg(json_build_object('clusterId', l.cluster_id, 'stored', w.cluster_id IS NOT NULL,
          'holder', CASE WHEN l.expires_at > clock_timestamp() THEN l.holder END)), '[]')
        FROM watch_lease l JOIN cluster c ON c.id = l.cluster_id LEFT JOIN watch_credential w ON w.cluster_id = l.cluster_id
        WHERE c.suspended_at IS NULL AND c.removing_at IS NULL) AS leases`,
  );
  return found!;
}

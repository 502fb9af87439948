import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import type { UnfollowedKind, WatchMode, WatchPhase } from '../watch-lease.js';
import { scopeWhere } from './scope-where.js';

/** How a cluster is watched, as the database knows it. Times in milliseconds since the epoch. */
export interface StoredWatch {
  clusterId: number;
  mode: WatchMode;
  /** What the holder said last; `unassigned` while no live replica holds it. */
  state: WatchPhase | 'unassigned';
  /** When that began; for `unassigned`, when the last lease ended. */
  since: number;
  /** Name of the replica that watches it; null while none does. */
  holder: string | null;
  server: string | null;
  errorCode: string | null;
  error: string | null;
  errorAt: number | null;
  /** When the position last moved; null before the first time. */
  positionAt: number | null;
  /** Seconds since then, by the database's clock. */
  positionAge: number | null;
  unfollowed: UnfollowedKind[];
}

const LIVE = 'coalesce(l.expires_at > clock_timestamp(), false)';

/**
 * Finds how clusters are watched, by their ids, or all when there are no ids; clusters that are not watched are left out. Nothing is
 * shown to callers who may see certain namespaces only: a watch is of the whole cluster.
 */
export function findWatches(database: Pick<Database, 'rows'>, scope: Scope, ids?: readonly number[]): Promise<StoredWatch[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = scopeWhere(scope, { cluster: 'l.cluster_id', namespace: null }, put);
  if (ids) conditions.push(`l.cluster_id = ANY(${put(ids)}::integer[])`);
  return database.rows<StoredWatch & Record<string, unknown>>(
    `SELECT l.cluster_id AS "clusterId", l.mode, CASE WHEN ${LIVE} THEN l.state ELSE 'unassigned' END AS state,
       CASE WHEN ${LIVE} THEN ${ms('l.state_since')} ELSE ${ms('coalesce(l.expires_at, l.state_since)')} END AS since,
       CASE WHEN ${LIVE} THEN l.holder_name END AS holder, l.server, l.error_code AS "errorCode", l.error, ${ms('l.error_at')} AS "errorAt",
       ${ms('l.position_at')} AS "positionAt", extract(epoch FROM clock_timestamp() - l.position_at)::float8 AS "positionAge", l.unfollowed
     FROM watch_lease l
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
     ORDER BY l.cluster_id`,
    ...params,
  );
}

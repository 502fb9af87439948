import type { Database } from '../database.service.js';
import type { WatchReport } from '../watch-lease.js';

/** What a holder says of one of its leases. */
export interface LeaseReport extends WatchReport {
  clusterId: number;
  epoch: number;
}

/**
 * Prolongs leases for another `ttl` milliseconds and keeps what their holder says of them. Returns the clusters of those that are
 * still its own: an epoch that is not the present one is lost for good.
 */
export async function renewWatchLeases(
  database: Pick<Database, 'rows'>,
  holder: string,
  reports: readonly LeaseReport[],
  ttl: number,
): Promise<number[]> {
  const renewed = await database.rows<{ cluster_id: number }>(
    `UPDATE watch_lease l
     SET expires_at = clock_timestamp() + $3 * interval '1 ms', state = r.phase, state_since = to_timestamp(r.since / 1000.0),
       server = r.server, error_code = r.error ->> 'code', error = r.error ->> 'message',
       error_at = to_timestamp((r.error ->> 'at')::float8 / 1000.0), unfollowed = r.unfollowed
     FROM json_to_recordset($2::json)
       AS r("clusterId" integer, epoch bigint, phase text, since float8, server text, error jsonb, unfollowed jsonb)
     WHERE l.cluster_id = r."clusterId" AND l.epoch = r.epoch AND l.holder = $1
     RETURNING l.cluster_id`,
    holder,
    JSON.stringify(reports),
    ttl,
  );
  return renewed.map((row) => row.cluster_id);
}

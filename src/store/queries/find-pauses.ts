import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { OWN_ABSENCE, PAUSE_DAYS } from './find-cluster-signs.js';

/** A time in which a cluster said nothing. Times in milliseconds since the epoch. */
export interface Pause {
  from: number;
  until: number;
  /** Whether Casebook itself was away in it. */
  ownAbsence: boolean;
  /** Whether it was raised as silence. */
  silent: boolean;
}

/** Finds for each cluster its pauses of at least `least` milliseconds in the last seven days, latest first, at most `limit` of each. */
export async function findPauses(
  database: Pick<Database, 'rows'>,
  clusterIds: readonly number[],
  { least, limit }: { least: number; limit: number },
  now: number | null,
): Promise<Map<number, Pause[]>> {
  const found = await database.rows<Pause & { cluster_id: number }>(
    `SELECT o.cluster_id, p."from", p.until, p."ownAbsence", p.silent
     FROM unnest($1::integer[]) AS o(cluster_id)
     CROSS JOIN LATERAL (
       SELECT ${ms('m.heard_at')} - m.pause_ms AS "from", ${ms('m.heard_at')} AS until, ${OWN_ABSENCE} AS "ownAbsence", m.silent
       FROM cluster_minute m
       WHERE m.cluster_id = o.cluster_id AND m.pause_ms IS NOT NULL AND m.pause_ms >= $2
         AND m.minute > COALESCE(to_timestamp($4::float8 / 1000.0), now()) - interval '${PAUSE_DAYS} days'
       ORDER BY m.minute DESC LIMIT $3
     ) p`,
    clusterIds,
    least,
    limit,
    now,
  );
  const byCluster = new Map<number, Pause[]>(clusterIds.map((id) => [id, []]));
  for (const { cluster_id: id, ...pause } of found) byCluster.get(id)!.push(pause);
  return byCluster;
}

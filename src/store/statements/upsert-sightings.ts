import type { Sighting } from '../../incidents/assign-growth.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** A sighting on its way into the store. */
export type NewSighting = Omit<Sighting, 'affected'> & { uid: string; affectedId: string };

/** Keeps sightings. One that is known takes its new growth, which changes when a late delivery falls before it. */
export async function upsertSightings(connection: Connection, clusterId: number, sightings: readonly NewSighting[]): Promise<void> {
  await rows(
    connection,
    `INSERT INTO sighting (at, cluster_id, uid, count, affected_id, growth, since)
     SELECT to_timestamp(n.at / 1000.0), $1, n.uid, n.count, n."affectedId", n.growth, to_timestamp(n.since / 1000.0)
     FROM json_to_recordset($2::json) AS n(at float8, uid text, count integer, "affectedId" bigint, growth integer, since float8)
     ON CONFLICT (cluster_id, uid, count, affected_id, at) DO UPDATE SET growth = EXCLUDED.growth, since = EXCLUDED.since`,
    clusterId,
    JSON.stringify(sightings),
  );
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** All sightings of one Event on one affected object. */
export interface SightingsOf {
  uid: string;
  /** Row id of the affected object. */
  affectedId: string;
}

/** Deletes sightings, and lets their Events be known as ones that showed nothing yet. */
export async function forgetSightings(connection: Connection, clusterId: number, list: readonly SightingsOf[]): Promise<void> {
  await rows(
    connection,
    `WITH n AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) AS n(uid text, "affectedId" bigint)),
     gone AS (
       DELETE FROM sighting s USING n WHERE s.cluster_id = $1 AND s.uid = n.uid AND s.affected_id = n."affectedId"
     )
     UPDATE event_key k SET affected_id = NULL FROM n WHERE k.cluster_id = $1 AND k.uid = n.uid AND k.affected_id = n."affectedId"`,
    clusterId,
    JSON.stringify(list),
  );
}

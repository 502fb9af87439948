import { affectedKey } from '../../incidents/affected.js';
import type { Sighting } from '../../incidents/assign-growth.js';
import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

interface Row {
  uid: string;
  count: number;
  at: number;
  since: number;
  growth: number;
  object_key: string;
  container: string;
  problem_id: string;
}

/** A stored sighting with the object that it was seen on. */
export interface StoredSighting extends Sighting {
  objectKey: string;
}

/** Finds all stored sightings of some Events: needed when a delivery came late and has to be sorted in. OFFSET 0 as in `findEventKeys`. */
export async function findEventSightings(
  connection: Connection,
  clusterId: number,
  uids: readonly string[],
): Promise<Map<string, StoredSighting[]>> {
  const found = await rows<Row>(
    connection,
    `SELECT s.uid, s.count, s.growth, a.object_key, a.container, a.problem_id,
            ${ms('s.at')} AS at, ${ms('s.since')} AS since
     FROM json_array_elements_text($2::json) AS u(uid)
     CROSS JOIN LATERAL (SELECT * FROM sighting WHERE cluster_id = $1 AND sighting.uid = u.uid OFFSET 0) s
     JOIN affected a ON a.id = s.affected_id`,
    clusterId,
    JSON.stringify(uids),
  );
  const byUid = new Map<string, StoredSighting[]>();
  for (const { uid, count, at, since, growth, object_key: objectKey, container, problem_id: problemId } of found) {
    const sighting = { count, at, since, growth, objectKey, affected: affectedKey({ objectKey, container, problemId }) };
    const list = byUid.get(uid);
    if (list) list.push(sighting);
    else byUid.set(uid, [sighting]);
  }
  return byUid;
}

import type { Interval } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Earlier periods of one affected object. */
export interface PastIntervals {
  affectedId: string;
  past: readonly Interval[];
  /** They take the place of what is stored from this moment on, milliseconds since the epoch; null when they only add to it. */
  replacesFrom: number | null;
}

/** Keeps the earlier periods of affected objects. */
export async function writeIntervals(connection: Connection, list: readonly PastIntervals[]): Promise<void> {
  const replaced = list
    .filter(({ replacesFrom }) => replacesFrom !== null)
    .map(({ affectedId, replacesFrom }) => ({ affectedId, replacesFrom }));
  if (replaced.length > 0) {
    await rows(
      connection,
      `DELETE FROM affected_interval v USING json_to_recordset($1::json) AS n("affectedId" bigint, "replacesFrom" float8)
       WHERE v.affected_id = n."affectedId" AND v.started_at >= to_timestamp(n."replacesFrom" / 1000.0)`,
      JSON.stringify(replaced),
    );
  }
  const values = list.flatMap(({ affectedId, past }) => past.map((interval) => ({ affectedId, ...interval })));
  if (values.length === 0) return;
  await rows(
    connection,
    `INSERT INTO affected_interval (affected_id, started_at, last_at, ended_at, resolution)
     SELECT n."affectedId", to_timestamp(n."startedAt" / 1000.0), to_timestamp(n."lastAt" / 1000.0), to_timestamp(n."endedAt" / 1000.0), n.resolution
     FROM json_to_recordset($1::json) AS n("affectedId" bigint, "startedAt" float8, "lastAt" float8, "endedAt" float8, resolution text)`,
    JSON.stringify(values),
  );
}

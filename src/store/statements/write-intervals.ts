import type { Interval } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Earlier periods of one affected object. */
export interface PastIntervals {
  affectedId: string;
  past: readonly Interval[];
  /** True when they take the place of all that is stored. */
  replacesPast: boolean;
}

/** Keeps the earlier periods of affected objects. */
export async function writeIntervals(connection: Connection, list: readonly PastIntervals[]): Promise<void> {
  const replaced = list.filter(({ replacesPast }) => replacesPast).map(({ affectedId }) => affectedId);
  if (replaced.length > 0) await rows(connection, 'DELETE FROM affected_interval WHERE affected_id = ANY($1::bigint[])', replaced);
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

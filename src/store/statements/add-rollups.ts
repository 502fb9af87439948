import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Occurrences of one hour; negative when a late delivery moves some to an earlier hour. */
export interface RollupDelta {
  /** Start of the hour (UTC), milliseconds since the epoch. */
  hour: number;
  namespace: string;
  problemId: string;
  severity: string;
  occurrences: number;
}

/** Adds occurrences to the hourly roll-ups. */
export async function addRollups(connection: Connection, clusterId: number, deltas: readonly RollupDelta[]): Promise<void> {
  await rows(
    connection,
    `INSERT INTO rollup_hour AS r (cluster_id, hour, namespace, problem_id, severity, occurrences)
     SELECT $1, to_timestamp(n.hour / 1000.0), n.namespace, n."problemId", n.severity, n.occurrences
     FROM json_to_recordset($2::json) AS n(hour float8, namespace text, "problemId" text, severity text, occurrences bigint)
     ON CONFLICT (cluster_id, hour, namespace, problem_id, severity) DO UPDATE SET occurrences = r.occurrences + EXCLUDED.occurrences`,
    clusterId,
    JSON.stringify(deltas),
  );
}

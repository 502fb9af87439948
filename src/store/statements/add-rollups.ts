import { ROLLUP_MEASURES } from '../rollup-measures.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** What a batch changes in one cell of 15 minutes; negative where a late delivery moves something to another cell. */
export interface RollupDelta {
  /** Start of the cell (UTC), milliseconds since the epoch. */
  at: number;
  namespace: string;
  problemId: string;
  occurrences: number;
  /** First episodes that began. */
  opened: number;
  /** Later episodes that began. */
  reopened: number;
  /** Episodes that ended. */
  resolved: number;
  /** Sum of the lengths of those that ended, milliseconds. */
  resolveMs: number;
}

const SUMS = ROLLUP_MEASURES.map((name) => `sum(${name})`).join(', ');
const ADD = ROLLUP_MEASURES.map((name) => `${name} = r.${name} + EXCLUDED.${name}`).join(', ');

/** Inserts into one table the sums over the dimensions that it keeps, coarser than those of `n`. */
function sumInto(table: string, dimensions: readonly string[]): string {
  const kept = ['minutes', 'at', ...dimensions].join(', ');
  return `INSERT INTO ${table} AS r (cluster_id, ${kept}, ${ROLLUP_MEASURES.join(', ')})
     SELECT $1, ${kept}, ${SUMS} FROM n GROUP BY ${kept}
     ON CONFLICT (cluster_id, ${kept}) DO UPDATE SET ${ADD}`;
}

/** Adds to every roll-up of the cluster, in cells of 15 minutes, an hour and a day, in one statement, and notes the hours for the sums over all clusters. */
export async function addRollups(connection: Connection, clusterId: number, deltas: readonly RollupDelta[]): Promise<void> {
  await rows(
    connection,
    `WITH n AS MATERIALIZED (
       SELECT m.minutes, date_bin(m.minutes * interval '1 minute', to_timestamp(d.at / 1000.0), 'epoch') AS at, d.namespace,
         d."problemId" AS problem_id, sum(d.occurrences) AS occurrences, sum(d.opened) AS opened, sum(d.reopened) AS reopened,
         sum(d.resolved) AS resolved, sum(d."resolveMs") AS resolve_ms
       FROM json_to_recordset($2::json) AS d(at float8, namespace text, "problemId" text, occurrences bigint, opened integer,
           reopened integer, resolved integer, "resolveMs" bigint),
         (VALUES (15::smallint), (60), (1440)) AS m(minutes)
       GROUP BY 1, 2, 3, 4
     ), by_both AS (
       ${sumInto('rollup_namespace_problem', ['namespace', 'problem_id'])}
     ), by_problem AS (
       ${sumInto('rollup_problem', ['problem_id'])}
     ), by_namespace AS (
       ${sumInto('rollup_namespace', ['namespace'])}
     ), touched AS (
       INSERT INTO rollup_touched SELECT DISTINCT at FROM n WHERE minutes = 60
     )
     ${sumInto('rollup_cluster', [])}`,
    clusterId,
    JSON.stringify(deltas),
  );
}

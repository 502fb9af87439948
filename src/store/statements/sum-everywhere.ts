import { ROLLUP_MEASURES } from '../rollup-measures.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import { deleteGathered } from './drop-cells.js';

/** Columns of `rollup_by_cluster` that are arrays. */
const GATHERED = ['cluster_ids', ...ROLLUP_MEASURES];

/** Writes rows over those of the same key, where they differ. */
function writeOver(key: readonly string[], columns: readonly string[]): string {
  const of = (row: string): string => columns.map((name) => `${row}.${name}`).join(', ');
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${columns.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}
       WHERE (${of('e')}) IS DISTINCT FROM (${of('EXCLUDED')})`;
}

/**
 * Makes the sums over all clusters, and the rows that gather the cells of all clusters, anew for at most `limit` hours that were touched,
 * their quarters and their days; one process at a time. One statement, and so one snapshot: what it forgets as touched is what it has seen,
 * and a batch that commits meanwhile has a row of its own. Both tables hold the same cells. The latest hours come first: they are asked
 * about most. Returns how many hours it found.
 */
export async function sumEverywhere(connection: Connection, limit: number): Promise<number> {
  const [done] = await rows<{ hours: number }>(
    connection,
    `WITH touched AS MATERIALIZED (
       SELECT DISTINCT hour FROM rollup_touched ORDER BY hour DESC LIMIT $1
     ), forgotten AS (
       DELETE FROM rollup_touched t USING touched h WHERE t.hour = h.hour
     ), cell AS MATERIALIZED (
       SELECT DISTINCT m.minutes, date_bin(m.minutes * interval '1 minute', h.hour + m.after * interval '1 minute', 'epoch') AS at
       FROM touched h, (VALUES (15::smallint, 0), (15, 15), (15, 30), (15, 45), (60, 0), (1440, 0)) AS m(minutes, after)
     ), summed AS MATERIALIZED (
       SELECT l.minutes, l.at, r.problem_id, ${ROLLUP_MEASURES.map((name) => `sum(r.${name}) AS ${name}`).join(', ')},
         array_agg(r.cluster_id ORDER BY r.cluster_id) AS cluster_ids,
         ${ROLLUP_MEASURES.map((name) => `array_agg(r.${name} ORDER BY r.cluster_id) AS all_${name}`).join(', ')}
       FROM cell l CROSS JOIN cluster c
         CROSS JOIN LATERAL (SELECT * FROM rollup_problem r WHERE r.cluster_id = c.id AND r.minutes = l.minutes AND r.at = l.at OFFSET 0) r
       WHERE c.removing_at IS NULL GROUP BY 1, 2, 3
     ), emptied AS (
       DELETE FROM rollup_everywhere e USING cell l
       WHERE e.minutes = l.minutes AND e.at = l.at
         AND NOT EXISTS (SELECT FROM summed s WHERE s.minutes = e.minutes AND s.at = e.at AND s.problem_id = e.problem_id)
       RETURNING e.minutes, e.at, e.problem_id
     ), emptied_by_cluster AS (
       ${deleteGathered('emptied')}
     ), written AS (
       INSERT INTO rollup_everywhere AS e (minutes, at, problem_id, ${ROLLUP_MEASURES.join(', ')})
       SELECT minutes, at, problem_id, ${ROLLUP_MEASURES.join(', ')} FROM summed
       ${writeOver(['minutes', 'at', 'problem_id'], ROLLUP_MEASURES)}
     ), written_by_cluster AS (
       INSERT INTO rollup_by_cluster AS e (minutes, at, problem_id, ${GATHERED.join(', ')})
       SELECT minutes, at, problem_id, cluster_ids, ${ROLLUP_MEASURES.map((name) => `all_${name}`).join(', ')} FROM summed
       ${writeOver(['problem_id', 'minutes', 'at'], GATHERED)}
     )
     SELECT count(*)::integer AS hours FROM touched`,
    limit,
  );
  return done!.hours;
}

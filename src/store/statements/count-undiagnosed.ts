import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** A pattern, known or new. */
export interface NewPattern {
  hash: string;
  kind: string;
  reporter: string;
  reason: string;
  template: string;
}

/** Events that are to be counted in one cell. Times in milliseconds since the epoch. */
export interface UndiagnosedCell {
  hash: string;
  namespace: string;
  /** Day (UTC) on which they were last seen, `2026-11-20`. */
  day: string;
  occurrences: number;
  events: number;
  firstAt: number;
  lastAt: number;
  /** One of them, as JSON. */
  sample: string;
}

/** An Event that is taken out of the cell in which it was counted. */
export interface TakenBack {
  patternId: string;
  namespace: string;
  day: string;
  occurrences: number;
}

/** What a batch changes; each pattern of a cell is among the patterns, once. */
export interface UndiagnosedChange {
  patterns: NewPattern[];
  cells: UndiagnosedCell[];
  taken: TakenBack[];
}

/** Most patterns that are told apart in one cluster; whatever comes after them is counted together. */
export const MOST_PATTERNS = 1000;

/**
 * Counts what no problem explains, in one statement. Returns the row of each pattern by its hash: for those that find no place any more
 * it is the one that counts them together. What is taken out of a cell that retention has dropped changes nothing.
 */
export async function countUndiagnosed(
  connection: Connection,
  clusterId: number,
  { patterns, cells, taken }: UndiagnosedChange,
  most: number = MOST_PATTERNS,
): Promise<Map<string, string>> {
  const found = await rows<{ hash: string; id: string }>(
    connection,
    `WITH p AS MATERIALIZED (
       SELECT n.*, u.id FROM json_to_recordset($2::json) AS n(hash text, kind text, reporter text, reason text, template text)
         LEFT JOIN undiagnosed_pattern u ON u.cluster_id = $1 AND u.hash = n.hash
     ), fresh AS (
       INSERT INTO undiagnosed_pattern (cluster_id, hash, kind, reporter, reason, template)
       SELECT $1, hash, kind, reporter, reason, template FROM p WHERE id IS NULL ORDER BY hash
       LIMIT GREATEST(0, $5::integer - (SELECT count(*) FROM undiagnosed_pattern u WHERE u.cluster_id = $1 AND u.hash <> ''))
       RETURNING id, hash
     ), overflow AS (
       INSERT INTO undiagnosed_pattern (cluster_id, hash, kind, reporter, reason, template)
       SELECT $1, '', '', '', '', '' WHERE (SELECT count(*) FROM p WHERE id IS NULL) > (SELECT count(*) FROM fresh)
       ON CONFLICT (cluster_id, hash) DO UPDATE SET template = '' RETURNING id
     ), placed AS MATERIALIZED (
       SELECT p.hash, COALESCE(p.id, fresh.id, (SELECT id FROM overflow)) AS id FROM p LEFT JOIN fresh USING (hash)
     ), change AS (
       SELECT placed.id, c.namespace, c.day, c.occurrences, c.events, to_timestamp(c."firstAt" / 1000.0) AS first_at,
         to_timestamp(c."lastAt" / 1000.0) AS last_at, c.sample
       FROM json_to_recordset($3::json) AS c(hash text, namespace text, day date, occurrences bigint, events integer, "firstAt" float8, "lastAt" float8, sample text)
         JOIN placed USING (hash)
       UNION ALL
       SELECT t."patternId", t.namespace, t.day, -t.occurrences, -1, 'infinity', '-infinity', NULL
       FROM json_to_recordset($4::json) AS t("patternId" bigint, namespace text, day date, occurrences bigint)
     ), summed AS (
       SELECT id, namespace, day, sum(occurrences) AS occurrences, sum(events) AS events, min(first_at) AS first_at, max(last_at) AS last_at,
         COALESCE(max(sample), '') AS sample
       FROM change GROUP BY id, namespace, day
     ), written AS (
       INSERT INTO undiagnosed_cell AS c (cluster_id, pattern_id, namespace, day, occurrences, events, first_at, last_at, sample)
       SELECT $1, s.id, s.namespace, s.day, s.occurrences, s.events, s.first_at, s.last_at, s.sample FROM summed s
       WHERE s.events > 0 AND s.sample <> ''
         OR EXISTS (SELECT FROM undiagnosed_cell k WHERE (k.cluster_id, k.pattern_id, k.namespace, k.day) = ($1, s.id, s.namespace, s.day))
       ON CONFLICT (cluster_id, pattern_id, namespace, day) DO UPDATE SET
         occurrences = GREATEST(0, c.occurrences + EXCLUDED.occurrences), events = GREATEST(0, c.events + EXCLUDED.events),
         first_at = LEAST(c.first_at, EXCLUDED.first_at), last_at = GREATEST(c.last_at, EXCLUDED.last_at), heard_on = CURRENT_DATE,
         sample = CASE WHEN c.events > 0 OR EXCLUDED.sample = '' THEN c.sample ELSE EXCLUDED.sample END
     )
     SELECT hash, id::text AS id FROM placed`,
    clusterId,
    JSON.stringify(patterns),
    JSON.stringify(cells),
    JSON.stringify(taken),
    most,
  );
  return new Map(found.map(({ hash, id }) => [hash, id]));
}

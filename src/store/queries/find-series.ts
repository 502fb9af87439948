import type { Database } from '../database.service.js';
import { ROLLUP_MEASURES } from '../rollup-measures.js';
import type { CellQuery } from './cell-source.js';
import { cellSource, OPEN_NOW, tellsOccurrences } from './cell-source.js';
import type { ProblemFacts } from './group-key.js';
import { groupKey, namesOf } from './group-key.js';
import type { Put } from './happening-filter.js';

/** What happened in a bucket. */
export interface Measures {
  /** Null where it is not known: told apart by status. */
  occurrences: number | null;
  /** Incidents that began for the first time. */
  opened: number;
  /** Incidents that began again. */
  reopened: number;
  /** Periods of incidents that ended. */
  resolved: number;
  /** Sum of the lengths of those that ended, milliseconds. */
  resolveMs: number;
}

/** One group and its buckets. */
export interface Series {
  /** Value of each dimension, in their order; empty when unknown. */
  key: string[];
  /** One for each bucket. */
  buckets: Measures[];
  /** How many incidents were open at the end of each bucket; empty when it was not asked for. */
  open: number[];
}

/** A question for series. */
export interface SeriesQuery extends CellQuery {
  facts: readonly ProblemFacts[];
  /** Most groups: those with the most occurrences from the bucket of this number (from 0) on. */
  first: number;
  rankFrom: number;
}

/** Series of groups, and of everything together. */
export interface SeriesAnswer {
  groups: Series[];
  total: Series;
}

/** One group, its buckets as columns: the arrays are equally long. */
interface Row {
  /** Null for everything together. */
  key: string[] | null;
  bucket: number[];
  occurrences: (number | null)[];
  opened: number[];
  reopened: number[];
  resolved: number[];
  resolve_ms: number[];
}

/** Sums up what happened by group and bucket, in one statement: a snapshot. */
export async function findSeries(database: Pick<Database, 'rows'>, query: SeriesQuery): Promise<SeriesAnswer> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const count = query.edges.length - 1;
  const { values, joins, key } = groupKey(query.dimensions, query.facts, put);
  const names = namesOf(values);
  // A group is of the range if something happened in it, or if it was open at its end: open now, but for what began and ended since.
  // The cells are MATERIALIZED because the planner, which takes them for dear, would else sort them all instead of hashing them; the ranks, whose
  // names of clusters it takes for dear, are as well, and are made of sums of their own.
  // A row for each group instead of one for each bucket: reading thousands of rows takes longer than making them.
  const columns = ['bucket', ...ROLLUP_MEASURES].map((name) => `json_agg(${name}) AS ${name}`).join(', ');
  const found = await database.rows<Row & Record<string, unknown>>(
    `WITH x AS MATERIALIZED (${cellSource(query, put)}),
     summed AS (
       SELECT ${values.map((value, i) => `${value} AS ${names[i]}, `).join('')}x.bucket, sum(x.occurrences::float8) AS occurrences, sum(x.opened)::float8 AS opened,
         sum(x.reopened)::float8 AS reopened, sum(x.resolved)::float8 AS resolved, sum(x.resolve_ms::float8) AS resolve_ms
       FROM x ${joins} GROUP BY ${[...names, 'x.bucket'].join(', ')}
     ), ranked AS MATERIALIZED (
       SELECT ${names.join(', ')} FROM (
         SELECT ${names.map((name) => `${name}, `).join('')}sum(occurrences) FILTER (WHERE bucket > ${put(query.rankFrom)} AND bucket <= ${count}) AS happened,
           sum(opened + reopened) FILTER (WHERE bucket BETWEEN 1 AND ${count}) AS began
         FROM summed GROUP BY ${names.join(', ') || '()'}
         HAVING bool_or(occurrences <> 0 OR opened <> 0 OR reopened <> 0 OR resolved <> 0) FILTER (WHERE bucket BETWEEN 1 AND ${count})
           OR COALESCE(sum(opened) FILTER (WHERE bucket = ${OPEN_NOW}), 0) <> COALESCE(sum(opened + reopened - resolved) FILTER (WHERE bucket > ${count}), 0)
       ) g ORDER BY happened DESC NULLS LAST, began DESC NULLS LAST, ${key(names)} COLLATE "C" LIMIT ${put(query.first)}
     )
     SELECT ${key(names)} AS key, ${columns}
     FROM ranked ${names.length > 0 ? `JOIN summed USING (${names.join(', ')})` : 'CROSS JOIN summed'} GROUP BY ${names.join(', ') || '()'} HAVING count(*) > 0
     UNION ALL
     SELECT NULL, ${columns} FROM (
       SELECT bucket, ${ROLLUP_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
       FROM summed GROUP BY bucket
     ) everything HAVING count(*) > 0`,
    ...params,
  );
  const total = found.find(({ key: of }) => of === null);
  const groups = found.flatMap((row) => (row.key === null ? [] : [seriesOf(row.key, row, query)]));
  const ranked = groups.map((series) => ({ series, ...weightOf(series, query.rankFrom) }));
  ranked.sort((a, b) => b.occurrences - a.occurrences || b.opened - a.opened || compareKeys(a.series.key, b.series.key));
  return { groups: ranked.map(({ series }) => series), total: seriesOf([], total, query) };
}

function weightOf({ buckets }: Series, rankFrom: number): { occurrences: number; opened: number } {
  return {
    occurrences: buckets.slice(rankFrom).reduce((sum, bucket) => sum + (bucket.occurrences ?? 0), 0),
    opened: buckets.reduce((sum, bucket) => sum + bucket.opened + bucket.reopened, 0),
  };
}

function seriesOf(key: string[], row: Row | undefined, query: SeriesQuery): Series {
  const count = query.edges.length - 1;
  const none = tellsOccurrences(query) ? 0 : null;
  const nothing: Measures = { occurrences: none, opened: 0, reopened: 0, resolved: 0, resolveMs: 0 };
  const buckets = Array.from({ length: count }, () => nothing);
  let [openNow, sinceThen] = [0, 0];
  row?.bucket.forEach((bucket, i) => {
    const measures: Measures = {
      occurrences: none === null ? null : (row.occurrences[i] ?? 0),
      opened: row.opened[i]!,
      reopened: row.reopened[i]!,
      resolved: row.resolved[i]!,
      resolveMs: row.resolve_ms[i]!,
    };
    if (bucket === OPEN_NOW) openNow = measures.opened;
    else if (bucket > count) sinceThen = growth(measures);
    else buckets[bucket - 1] = measures;
  });
  if (!query.open) return { key, buckets, open: [] };
  // What is open now, less what began since and more what ended since.
  let standing = openNow - sinceThen;
  const atEnd = buckets.map(() => 0);
  for (let i = count - 1; i >= 0; i--) {
    atEnd[i] = standing;
    standing -= growth(buckets[i]!);
  }
  return { key, buckets, open: atEnd };
}

function growth({ opened, reopened, resolved }: Measures): number {
  return opened + reopened - resolved;
}

/** By the first text that differs, in the order of characters. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, i) => text !== b[i]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}

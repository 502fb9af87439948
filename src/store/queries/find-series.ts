import type { Database } from '../database.service.js';
import type { CellQuery } from './cell-source.js';
import { cellSource, OPEN_NOW } from './cell-source.js';
import type { ProblemFacts } from './group-key.js';
import { groupKey } from './group-key.js';
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

interface Row {
  /** Null for everything together. */
  key: string[] | null;
  bucket: number;
  occurrences: number | null;
  opened: number;
  reopened: number;
  resolved: number;
  resolve_ms: number;
}

/** Sums up what happened by group and bucket, in one statement: a snapshot. */
export async function findSeries(database: Pick<Database, 'rows'>, query: SeriesQuery): Promise<SeriesAnswer> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const count = query.edges.length - 1;
  const { key, joins } = groupKey(query.dimensions, query.facts, put);
  const last = query.open ? count + 1 : count;
  const found = await database.rows<Row>(
    `WITH x AS (${cellSource(query, put)}),
     summed AS (
       SELECT ${key} AS key, x.bucket, sum(x.occurrences)::float8 AS occurrences, sum(x.opened)::float8 AS opened, sum(x.reopened)::float8 AS reopened,
         sum(x.resolved)::float8 AS resolved, sum(x.resolve_ms)::float8 AS resolve_ms
       FROM x ${joins} WHERE x.bucket = ${OPEN_NOW} OR x.bucket BETWEEN 1 AND ${put(last)}
       GROUP BY 1, 2
     ), ranked AS (
       SELECT key FROM summed WHERE bucket <= ${put(count)} GROUP BY key
       HAVING bool_or(occurrences <> 0 OR opened <> 0 OR reopened <> 0 OR resolved <> 0)
       ORDER BY sum(occurrences) FILTER (WHERE bucket > ${put(query.rankFrom)}) DESC NULLS LAST, sum(opened + reopened) FILTER (WHERE bucket > 0) DESC NULLS LAST, key COLLATE "C"
       LIMIT ${put(query.first)}
     )
     SELECT s.* FROM ranked JOIN summed s USING (key)
     UNION ALL
     SELECT NULL, bucket, sum(occurrences), sum(opened), sum(reopened), sum(resolved), sum(resolve_ms) FROM summed GROUP BY bucket`,
    ...params,
  );
  const byKey = new Map<string, Row[]>();
  for (const row of found) {
    const id = JSON.stringify(row.key);
    const list = byKey.get(id);
    if (list) list.push(row);
    else byKey.set(id, [row]);
  }
  const total = seriesOf([], byKey.get('null') ?? [], count, query.open);
  byKey.delete('null');
  const groups = [...byKey.values()].map((rows) => seriesOf(rows[0]!.key!, rows, count, query.open));
  const weight = ({ buckets }: Series): number =>
    buckets.slice(query.rankFrom).reduce((sum, { occurrences }) => sum + (occurrences ?? 0), 0);
  const opened = ({ buckets }: Series): number => buckets.reduce((sum, bucket) => sum + bucket.opened + bucket.reopened, 0);
  return { groups: groups.sort((a, b) => weight(b) - weight(a) || opened(b) - opened(a) || compareKeys(a.key, b.key)), total };
}

function seriesOf(key: string[], rows: readonly Row[], count: number, open: boolean): Series {
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  const known = rows.some(({ occurrences, bucket }) => bucket !== OPEN_NOW && occurrences === null);
  const buckets = Array.from({ length: count }, (_, i) => measuresOf(byBucket.get(i + 1), known ? null : 0));
  if (!open) return { key, buckets, open: [] };
  // What is open now, less what began since and more what ended since.
  let standing = (byBucket.get(OPEN_NOW)?.opened ?? 0) - growth(measuresOf(byBucket.get(count + 1), 0));
  const backwards = [...buckets].reverse().map((bucket) => {
    const atEnd = standing;
    standing -= growth(bucket);
    return atEnd;
  });
  return { key, buckets, open: backwards.reverse() };
}

function growth({ opened, reopened, resolved }: Measures): number {
  return opened + reopened - resolved;
}

function measuresOf(row: Row | undefined, none: null | 0): Measures {
  if (!row) return { occurrences: none, opened: 0, reopened: 0, resolved: 0, resolveMs: 0 };
  const { occurrences, opened, reopened, resolved, resolve_ms: resolveMs } = row;
  return { occurrences: none === null ? null : (occurrences ?? 0), opened, reopened, resolved, resolveMs };
}

/** By the first text that differs, in the order of characters. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, i) => text !== b[i]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}

import type { Database } from '../database.service.js';
import type { CellQuery } from './cell-source.js';
import { cellSource } from './cell-source.js';
import type { Measures } from './find-series.js';
import type { ProblemFacts } from './group-key.js';
import { groupKey, namesOf } from './group-key.js';
import type { Put } from './happening-filter.js';

/** What happened in one group in one bucket. */
export interface TrendRow extends Measures {
  /** Number of the bucket, from 0. */
  bucket: number;
  /** Value of each dimension, in their order; empty when unknown. */
  key: string[];
}

/** A question for all rows in which something happened. */
export interface TrendRowsQuery extends Omit<CellQuery, 'open'> {
  facts: readonly ProblemFacts[];
  /** Most rows; all of them without it. */
  limit?: number | undefined;
  /** Key of a group of the first bucket: only what comes after it is wanted. */
  after?: readonly string[] | undefined;
}

/** Finds the groups and buckets in which something happened, by bucket and then by group. */
export function findTrendRows(database: Pick<Database, 'rows'>, query: TrendRowsQuery): Promise<TrendRow[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const { values, joins, key } = groupKey(query.dimensions, query.facts, put);
  const names = namesOf(values);
  const left = query.after ? `AND (bucket > 0 OR ${key(names)} COLLATE "C" > ${put(query.after)}::text[])` : '';
  const source = cellSource({ ...query, open: false }, put);
  return database.rows<TrendRow & Record<string, unknown>>(
    `SELECT s.bucket, ${key(names)} AS key, s.occurrences, s.opened, s.reopened, s.resolved, s."resolveMs" FROM (
       SELECT x.bucket - 1 AS bucket, ${values.map((value, i) => `${value} AS ${names[i]}, `).join('')}sum(x.occurrences::float8) AS occurrences,
         sum(x.opened)::float8 AS opened, sum(x.reopened)::float8 AS reopened, sum(x.resolved)::float8 AS resolved, sum(x.resolve_ms::float8) AS "resolveMs"
       FROM (${source}) x ${joins} GROUP BY ${['x.bucket', ...names].join(', ')}
     ) s
     WHERE (occurrences <> 0 OR opened <> 0 OR reopened <> 0 OR resolved <> 0) ${left}
     ORDER BY bucket, ${key(names)} COLLATE "C" LIMIT ${put(query.limit ?? null)}`,
    ...params,
  );
}

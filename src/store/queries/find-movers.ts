import type { Database } from '../database.service.js';
import type { CellQuery } from './cell-source.js';
import { cellSource } from './cell-source.js';
import type { ProblemFacts } from './group-key.js';
import { groupKey, namesOf } from './group-key.js';
import type { Put } from './happening-filter.js';

/** What a move is measured by. */
export type MoveMeasure = 'occurrences' | 'opened';

/** A question for the groups that changed most. */
export interface MoverQuery extends Omit<CellQuery, 'open' | 'edges'> {
  facts: readonly ProblemFacts[];
  /** Start of the period before, start and end of the range, milliseconds since the epoch. */
  edges: readonly [number, number, number];
  measure: MoveMeasure;
  /** Whether those that grew are asked for, or those that shrank. */
  rising: boolean;
  first: number;
}

/** A group that changed. */
export interface Mover {
  key: string[];
  before: number;
  now: number;
  /** (now - before) / sqrt(now + before). */
  score: number;
}

/** How far from chance a change has to be: about one in twenty would be seen without any cause. */
const LEAST_SCORE = 2;

const MEASURE: Record<MoveMeasure, string> = { occurrences: 'x.occurrences', opened: 'x.opened + x.reopened' };

/**
 * Finds the groups that changed most against the period before, the strongest first. Two counts of independent happenings
 * differ by chance about as much as the root of their sum, so the difference is measured in that unit.
 */
export async function findMovers(database: Pick<Database, 'rows'>, query: MoverQuery): Promise<Mover[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  const { values, joins, key } = groupKey(query.dimensions, query.facts, put);
  const names = namesOf(values);
  return database.rows<Mover & Record<string, unknown>>(
    `WITH x AS (${cellSource({ ...query, open: false }, put)}),
     compared AS (
       SELECT ${values.map((value, i) => `${value} AS ${names[i]}, `).join('')}COALESCE(sum(${MEASURE[query.measure]}) FILTER (WHERE x.bucket = 1), 0)::float8 AS before,
         COALESCE(sum(${MEASURE[query.measure]}) FILTER (WHERE x.bucket = 2), 0)::float8 AS now
       FROM x ${joins} GROUP BY ${names.join(', ') || '()'}
     ), scored AS (
       SELECT ${key(names)} AS key, before, now, (now - before) / sqrt(now + before) AS score FROM compared WHERE now + before > 0
     )
     SELECT * FROM scored WHERE ${query.rising ? `score >= ${LEAST_SCORE}` : `score <= -${LEAST_SCORE}`}
     ORDER BY score ${query.rising ? 'DESC' : 'ASC'}, key COLLATE "C" LIMIT ${put(query.first)}`,
    ...params,
  );
}

import type { Knowledge, Problem } from '../knowledge/problem.js';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';
import type { Page } from './page.js';
import { checkFirst, checkText, pageOf } from './page.js';
import type { ProblemFilter } from './search-problems.js';
import { searchProblems } from './search-problems.js';

/** Which part of the list of problems is wanted. */
export type ProblemPage = { [K in keyof ProblemFilter]?: ProblemFilter[K] | null } & { first: number; after?: string | null | undefined };

/** One page of the problems of a filter, and how many there are in all. Throws RequestError BAD_INPUT or BAD_CURSOR. */
export function listProblems(knowledge: Knowledge, { first, after, ...wanted }: ProblemPage): Page<Problem> & { total: number } {
  checkFirst(first);
  const filter = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null)) as ProblemFilter;
  if (filter.search !== undefined) checkText('search', filter.search, 200);
  const list = listOf('problems', filter);
  const found = searchProblems(knowledge, filter);
  const [rank = -Infinity, id = ''] = after ? (decodeCursor(list, after, ['number', 'string']) as readonly [number, string]) : [];
  const from = found.findIndex((row) => row.rank > rank || (row.rank === rank && row.problem.id > id));
  const rows = from < 0 ? [] : found.slice(from, from + first + 1);
  const page = pageOf(
    rows,
    first,
    after,
    (row) => encodeCursor(list, [row.rank, row.problem.id]),
    (row) => row.problem,
  );
  return { ...page, total: found.length };
}

import { RequestError } from '../platform/refusal.js';

/** Most rows of one page. */
export const MAX_PAGE = 200;

/** One page of a list, in the form of a Relay connection. */
export interface Page<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

/**
 * Makes a page of rows that were asked for with one more than fits.
 *
 * @param rows at most `first` + 1 rows after `after`
 */
export function pageOf<R, T>(
  rows: readonly R[],
  first: number,
  after: unknown,
  cursorOf: (row: R) => string,
  nodeOf: (row: R) => T,
): Page<T> {
  const edges = rows.slice(0, first).map((row) => ({ cursor: cursorOf(row), node: nodeOf(row) }));
  return {
    nodes: edges.map(({ node }) => node),
    edges,
    pageInfo: {
      hasNextPage: rows.length > first,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Checks the size of a page. Throws RequestError BAD_INPUT unless it is from 1 to `most`. */
export function checkFirst(first: number, most: number = MAX_PAGE): number {
  if (Number.isInteger(first) && first >= 1 && first <= most) return first;
  throw new RequestError('BAD_INPUT', `first has to be from 1 to ${most}, got ${first}.`);
}

/** Checks a text from outside. Throws RequestError BAD_INPUT when it is too long or holds NUL, which PostgreSQL cannot compare. */
export function checkText(name: string, text: string, most: number = 1000): string {
  if (text.length > most) throw new RequestError('BAD_INPUT', `${name} is longer than ${most} characters.`);
  if (text.includes('\0')) throw new RequestError('BAD_INPUT', `${name} holds a NUL character.`);
  return text;
}

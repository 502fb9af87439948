import { RequestError } from '../platform/refusal.js';
import type { Scope } from '../platform/scope.js';
import type { RejectedOf, RejectedRecord } from '../store/queries/find-rejected.js';
import type { RejectedRepository } from '../store/rejected.repository.js';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';
import type { Page } from './page.js';
import { checkFirst, checkText, pageOf } from './page.js';

/** Refused input as both APIs show it. */
export type ShownRejected = Omit<RejectedRecord, 'format' | 'userAgent'> & { format: string | null; userAgent: string | null };

/** A page of refused input, and how to count the whole list. */
export interface ListedRejected {
  page: Page<ShownRejected>;
  count: () => Promise<number>;
}

/** Lists refused input of a cluster, or with null of names that no cluster has, latest first. Throws RequestError for a wrong page. */
export async function listRejected(
  repository: RejectedRepository,
  scope: Scope,
  cluster: string | null,
  first: number,
  after: string | null | undefined,
): Promise<ListedRejected> {
  const limit = checkFirst(first);
  const of: RejectedOf = cluster === null ? 'unknown-clusters' : { cluster: checkText('cluster', cluster) };
  const list = listOf('rejected', of);
  const position = after ? idOf(decodeCursor(list, after, ['string'])[0]) : undefined;
  const rows = await repository.list(scope, { of, limit: limit + 1, after: position });
  return {
    page: pageOf(rows, limit, after, ({ id }) => encodeCursor(list, [id]), show),
    count: () => repository.count(scope, of),
  };
}

function idOf(part: string | number | undefined): string {
  if (typeof part === 'string' && /^\d{1,18}$/.test(part)) return part;
  throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
}

function show({ format, userAgent, ...rejected }: RejectedRecord): ShownRejected {
  return { ...rejected, format: format || null, userAgent: userAgent || null };
}

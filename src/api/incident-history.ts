import type { HistoryPage, HistoryRecord } from '../store/queries/find-incident-history.js';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';
import type { Page } from './page.js';
import { pageOf } from './page.js';

/** An entry of an incident's history as both APIs show it. */
export type HistoryEntry = Omit<HistoryRecord, 'id' | 'note'> & {
  /** Identity of the entry within the incident. */
  key: string;
  text: string | null;
};

/** Reads where a page of the history of an incident begins. Throws RequestError BAD_CURSOR. */
export function historyPosition(incidentId: string, after: string | null | undefined): HistoryPage['after'] {
  if (!after) return undefined;
  const [at, id] = decodeCursor(listOf('history', incidentId), after, ['number', 'string']) as readonly [number, string];
  return { at, id };
}

/** Makes a page of the rows of a history, which were asked for with one more than fits. */
export function historyPage(
  incidentId: string,
  rows: readonly HistoryRecord[],
  limit: number,
  after: string | null | undefined,
): Page<HistoryEntry> {
  const list = listOf('history', incidentId);
  return pageOf(
    rows,
    limit,
    after,
    ({ at, id }) => encodeCursor(list, [at, id]),
    ({ id, note, ...rest }) => ({ key: id === 's' || id === 'e' ? `${id}${rest.at}` : id, text: note, ...rest }),
  );
}

import { problemsOfGuide } from '../knowledge/check-guide.js';
import type { Guide, Knowledge } from '../knowledge/problem.js';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';
import type { Page } from './page.js';
import { checkFirst, checkText, pageOf } from './page.js';
import { SearchIndex } from './search-index.js';
import type { Document } from './search-index.js';

/** Which part of the list of guides is wanted. */
export interface GuidePage {
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}

const PARTS = 1e6;

const indexes = new WeakMap<Knowledge, SearchIndex<Guide>>();

/** One page of the guides that fit a search, best fit first, else by id. Throws RequestError BAD_INPUT or BAD_CURSOR. */
export function listGuides(knowledge: Knowledge, { search, first, after }: GuidePage): Page<Guide> & { total: number } {
  checkFirst(first);
  const text = checkText('search', search ?? '', 200);
  const list = listOf('guides', { search: text });
  const found = searchGuides(knowledge, text);
  const [rank = -Infinity, id = ''] = after ? (decodeCursor(list, after, ['number', 'string']) as readonly [number, string]) : [];
  const from = found.findIndex((row) => row.rank > rank || (row.rank === rank && row.guide.id > id));
  const rows = from < 0 ? [] : found.slice(from, from + first + 1);
  const page = pageOf(
    rows,
    first,
    after,
    (row) => encodeCursor(list, [row.rank, row.guide.id]),
    (row) => row.guide,
  );
  return { ...page, total: found.length };
}

/** The guide of an id; its name without `guide/` is enough. */
export function findGuide({ guideById }: Knowledge, id: string): Guide | undefined {
  return guideById.get(id) ?? guideById.get(`guide/${id}`);
}

function searchGuides(knowledge: Knowledge, search: string): { guide: Guide; rank: number }[] {
  if (!search.trim()) return knowledge.guides.map((guide) => ({ guide, rank: 0 }));
  let index = indexes.get(knowledge);
  if (!index) indexes.set(knowledge, (index = new SearchIndex(knowledge.guides.map(documentOf))));
  const found = index.search(search).map(({ item, score }) => ({ guide: item, rank: -Math.round(score * PARTS) }));
  return found.sort((a, b) => a.rank - b.rank || (a.guide.id < b.guide.id ? -1 : 1));
}

function documentOf(guide: Guide): Document<Guide> {
  const { id, title, symptom, steps, versions } = guide;
  const texts = steps.flatMap(({ check, run, outcomes }) => [
    both(check),
    ...run,
    ...outcomes.flatMap(({ when, means, remedy }) => [when, means, remedy].map(both)),
  ]);
  return {
    item: guide,
    names: [id, id.replace('guide/', '')],
    fields: [
      { text: id, weight: 10 },
      { text: both(title), weight: 5 },
      { text: both(symptom), weight: 3 },
      { text: [...problemsOfGuide(guide), ...versions.map(({ component }) => component), ...texts].join('\n'), weight: 1 },
    ],
  };
}

function both(text: { en: string; zh: string } | undefined): string {
  return text ? `${text.en}\n${text.zh}` : '';
}

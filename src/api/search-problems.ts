import type { Provider } from '../knowledge/problem-file.js';
import type { Knowledge, Problem } from '../knowledge/problem.js';

/** Which problems to list; what is absent does not restrict. */
export interface ProblemFilter {
  /** Words of either language, a code or an id; every word has to occur. */
  search?: string | undefined;
  provider?: Provider | undefined;
  area?: string | undefined;
}

/** A problem in a list, with its place in it. */
export interface ListedProblem {
  problem: Problem;
  /** How little it fits the words: 0 when its id or code does. Lists are ordered by rank, then by id. */
  rank: number;
}

interface Indexed {
  problem: Problem;
  /** In lower case: names, then titles, then everything else that is written about it. */
  texts: readonly [string, string, string];
}

const indexes = new WeakMap<Knowledge, Indexed[]>();
const MAX_WORDS = 20;

/** Lists the problems of a filter: best fit first, and by id among equals. */
export function searchProblems(knowledge: Knowledge, { search, provider, area }: ProblemFilter): ListedProblem[] {
  const words = wordsOf(search);
  const found: ListedProblem[] = [];
  for (const { problem, texts } of indexOf(knowledge)) {
    if (provider !== undefined && problem.provider !== provider) continue;
    if (area !== undefined && problem.area !== area) continue;
    const rank = rankOf(texts, words);
    if (rank !== undefined) found.push({ problem, rank });
  }
  return words.length === 0 ? found : found.sort((a, b) => a.rank - b.rank || (a.problem.id < b.problem.id ? -1 : 1));
}

/** The problems that a code means, for each kind of object that it can come from. Letter case does not matter. */
export function problemsOfCode(knowledge: Knowledge, code: string, kind?: string, provider?: Provider): Problem[] {
  const wanted = code.trim().toUpperCase();
  return knowledge.problems.filter(
    (problem) =>
      problem.code?.toUpperCase() === wanted &&
      (provider === undefined || problem.provider === provider) &&
      (kind === undefined || problem.objectKinds.some((known) => known === '*' || known.toLowerCase() === kind.trim().toLowerCase())),
  );
}

/** The words of a search, in lower case. */
export function wordsOf(search: string | undefined): string[] {
  return (search ?? '').toLowerCase().split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
}

/** The worst place at which one of the words stands; undefined when a word stands nowhere. */
function rankOf(texts: Indexed['texts'], words: readonly string[]): number | undefined {
  let worst = 0;
  for (const word of words) {
    const at = texts.findIndex((text) => text.includes(word));
    if (at < 0) return undefined;
    worst = Math.max(worst, at);
  }
  return worst;
}

function indexOf(knowledge: Knowledge): Indexed[] {
  const known = indexes.get(knowledge);
  if (known) return known;
  const built = knowledge.problems.map((problem): Indexed => {
    const { id, code, title, summary, consequence, causes } = problem;
    const area = knowledge.areas.get(`${problem.provider}/${problem.area}`);
    const body = [summary, consequence, ...(area ? [area] : []), ...causes.map(({ text }) => text)];
    return { problem, texts: [`${id} ${code ?? ''}`, both(title), body.map(both).join('\n')].map((text) => text.toLowerCase()) as [string, string, string] };
  });
  indexes.set(knowledge, built);
  return built;
}

function both({ en, zh }: { en: string; zh: string }): string {
  return `${en}\n${zh}`;
}

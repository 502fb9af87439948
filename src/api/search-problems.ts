import type { Provider } from '../knowledge/problem-file.js';
import type { Knowledge, Problem } from '../knowledge/problem.js';
import { SearchIndex } from './search-index.js';
import type { Document } from './search-index.js';

/** Which problems to list; what is absent does not restrict. */
export interface ProblemFilter {
  /** Words of either language, a code, an id, an annotation, a command or an error text. */
  search?: string | undefined;
  provider?: Provider | undefined;
  area?: string | undefined;
}

/** A problem in a list, with its place in it. */
export interface ListedProblem {
  problem: Problem;
  /** How little it fits the search: the lower the better. Lists are ordered by rank, then by id. */
  rank: number;
}

/** What a word weighs where it stands. */
const WEIGHT = { name: 10, title: 5, error: 3, example: 1.5, text: 1 } as const;
/** Scores are compared to this many parts of one, so that a cursor carries them exactly. */
const PARTS = 1e6;

const MAX_WORDS = 20;

const indexes = new WeakMap<Knowledge, SearchIndex<Problem>>();

/** Lists the problems of a filter: best fit first, and by id among equals. */
export function searchProblems(knowledge: Knowledge, { search, provider, area }: ProblemFilter): ListedProblem[] {
  const found = search?.trim()
    ? indexOf(knowledge)
        .search(search)
        .map(({ item, score }): ListedProblem => ({ problem: item, rank: -Math.round(score * PARTS) }))
    : knowledge.problems.map((problem): ListedProblem => ({ problem, rank: 0 }));
  return found
    .filter(({ problem }) => (provider === undefined || problem.provider === provider) && (area === undefined || problem.area === area))
    .sort((a, b) => a.rank - b.rank || (a.problem.id < b.problem.id ? -1 : 1));
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

/** The index of a set of problems; it is built when it is first asked for, and kept as long as the set. */
function indexOf(knowledge: Knowledge): SearchIndex<Problem> {
  let index = indexes.get(knowledge);
  if (!index) {
    const shown = namesOfReference(knowledge);
    index = new SearchIndex(knowledge.problems.map((problem) => documentOf(problem, knowledge, shown.get(problem.id) ?? [])));
    indexes.set(knowledge, index);
  }
  return index;
}

function documentOf(problem: Problem, { areas }: Knowledge, shown: readonly string[]): Document<Problem> {
  const { id, code, title, summary, consequence, causes, recognise, examples, objectKinds } = problem;
  const area = areas.get(`${problem.provider}/${problem.area}`);
  const errors = recognise.flatMap(({ code: own, reason, message }) => [own ?? '', list(reason), list(message)].flat());
  const texts = [
    ...[summary, consequence, ...(area ? [area] : [])].map(both),
    ...causes.flatMap(({ text, checks, remedies }) => [
      both(text),
      ...checks.flatMap(({ run, look }) => [run ?? '', both(look)]),
      ...remedies.map(both),
    ]),
    ...objectKinds,
  ];
  return {
    item: problem,
    names: [id, ...(code === undefined ? [] : [code])],
    fields: [
      { text: `${id} ${code ?? ''}`, weight: WEIGHT.name },
      { text: both(title), weight: WEIGHT.title },
      { text: [...errors.map((text) => text.replaceAll(/\{[\w:*]*\}/g, ' ')), ...shown].join('\n'), weight: WEIGHT.error },
      { text: examples.match.map(({ reason, message }) => `${reason ?? ''} ${message}`).join('\n'), weight: WEIGHT.example },
      { text: texts.join('\n'), weight: WEIGHT.text },
    ],
  };
}

/** What the reference tables say that shows a problem, by its id: annotations, states of a Pod, exit codes, conditions. */
function namesOfReference({ reference }: Knowledge): Map<string, string[]> {
  const { annotations, podStates, exitCodes, nodeConditions } = reference;
  const named: [readonly string[], string][] = [
    ...annotations.map(({ problems, key }): [readonly string[], string] => [problems, key]),
    ...podStates.map(({ problems, name, aliases }): [readonly string[], string] => [problems, [name, ...aliases].join(' ')]),
    ...exitCodes.codes.map(({ problems, code, signal, title }): [readonly string[], string] => [
      problems,
      `exit code ${code} ${signal ?? ''} ${both(title)}`,
    ]),
    ...nodeConditions.conditions.map(({ problems, type }): [readonly string[], string] => [problems, type]),
    ...nodeConditions.taints.map(({ problems, key }): [readonly string[], string] => [problems, key]),
  ];
  const shown = new Map<string, string[]>();
  for (const [problems, name] of named) for (const id of problems) shown.set(id, [...(shown.get(id) ?? []), name]);
  return shown;
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function both({ en, zh }: { en: string; zh: string }): string {
  return `${en}\n${zh}`;
}

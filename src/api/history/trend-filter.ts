import type { Knowledge } from '../../knowledge/problem.js';
import type { Provider, Severity } from '../../knowledge/problem-file.js';
import { RequestError } from '../../platform/refusal.js';
import type { ProblemFacts } from '../../store/queries/group-key.js';
import type { HappeningFilter } from '../../store/queries/happening-filter.js';
import { checkText } from '../page.js';

/** Which happenings a trend is about; a condition that is absent, or an empty list, does not restrict. */
export interface WantedTrendFilter {
  clusters?: readonly string[] | null | undefined;
  clusterProviders?: readonly Provider[] | null | undefined;
  regions?: readonly string[] | null | undefined;
  namespaces?: readonly string[] | null | undefined;
  problems?: readonly string[] | null | undefined;
  codes?: readonly string[] | null | undefined;
  areas?: readonly string[] | null | undefined;
  severities?: readonly Severity[] | null | undefined;
  providers?: readonly Provider[] | null | undefined;
}

/** Most values of one condition. */
const MOST_VALUES = 500;

/**
 * Makes the store's filter of a wanted one: conditions on what follows from a problem become a list of problems, those of
 * the knowledge of today.
 *
 * @throws RequestError BAD_INPUT when a list or a text is too long
 */
export function trendFilter(wanted: WantedTrendFilter, knowledge: Knowledge): HappeningFilter {
  for (const [name, values] of Object.entries(wanted) as [string, readonly string[] | null | undefined][]) {
    if (values && values.length > MOST_VALUES)
      throw new RequestError('BAD_INPUT', `filter.${name} holds ${values.length} values; at most ${MOST_VALUES} are allowed.`);
    for (const value of values ?? []) checkText(`filter.${name}`, value);
  }
  const list = <T extends string>(values: readonly T[] | null | undefined): readonly T[] | undefined =>
    values?.length ? values : undefined;
  return {
    clusters: list(wanted.clusters),
    clusterProviders: list(wanted.clusterProviders),
    regions: list(wanted.regions),
    namespaces: list(wanted.namespaces),
    problems: problemsOf(wanted, knowledge),
  };
}

/** The problems that all conditions leave; undefined when there is none of these conditions. */
function problemsOf({ problems, codes, areas, severities, providers }: WantedTrendFilter, knowledge: Knowledge): string[] | undefined {
  const named = problems?.length ? new Set(problems) : undefined;
  const conditions = [
    setOf(
      codes?.map((code) => code.trim().toUpperCase()),
      'code',
    ),
    setOf(areas, 'area'),
    setOf(severities, 'severity'),
    setOf(providers, 'provider'),
  ].filter((condition) => condition !== undefined);
  if (conditions.length === 0) return named && [...named];
  return factsOf(knowledge)
    .filter(
      (facts) => (named?.has(facts.id) ?? true) && conditions.every(({ field, values }) => values.has((facts[field] ?? '').toString())),
    )
    .map(({ id }) => id);
}

function setOf(values: readonly string[] | null | undefined, field: Exclude<keyof ProblemFacts, 'id'>) {
  return values?.length ? { field, values: new Set(values) } : undefined;
}

/** What follows from the problems of the knowledge base. */
export function factsOf(knowledge: Knowledge): ProblemFacts[] {
  return knowledge.problems.map(({ id, code, area, severity, provider }) => ({
    id,
    code: code?.toUpperCase() ?? null,
    area,
    severity,
    provider,
  }));
}

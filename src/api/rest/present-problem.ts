import type { Guide, Problem } from '../../knowledge/problem.js';
import type { Locale } from '../choose-locale.js';
import { describeClears } from '../describe-clears.js';
import { presentCauses } from '../present-causes.js';

/** A problem in a list, in one language. */
export function presentSummary({ id, provider, area, code, objectKinds, severity, risk, title, summary }: Problem, locale: Locale) {
  return {
    id,
    provider,
    area,
    code: code ?? null,
    objectKinds,
    severity,
    risk: risk ?? null,
    title: title[locale],
    summary: summary[locale],
  };
}

/** A problem as a whole, in one language, with its guides. */
export function presentProblem(problem: Problem, locale: Locale, guides: readonly Guide[] = []) {
  const { consequence, clears, transient, escalateTo, references, related } = problem;
  return {
    ...presentSummary(problem, locale),
    consequence: consequence[locale],
    clears: describeClears(clears),
    transient,
    escalateTo: escalateTo ?? null,
    causes: presentCauses(problem, locale),
    related,
    guides: guides.map(({ id }) => id),
    references,
  };
}

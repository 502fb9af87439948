import { problemsOfGuide } from '../../knowledge/check-guide.js';
import type { Guide } from '../../knowledge/problem.js';
import type { Locale } from '../choose-locale.js';
import type { ExplainedExitCode } from '../explain-exit-code.js';

/** A guide in a list, in one language. */
export function presentGuideSummary({ id, title, symptom }: Guide, locale: Locale) {
  return { id, title: title[locale], symptom: symptom[locale] };
}

/** A guide as a whole, in one language. Its commands hold names in <angle brackets> for the reader, and stay as they are. */
export function presentGuide(guide: Guide, locale: Locale) {
  const { versions, steps, references } = guide;
  return {
    ...presentGuideSummary(guide, locale),
    problems: problemsOfGuide(guide),
    versions: versions.map(({ component, affected, fixedIn }) => ({ component, affected: affected[locale], fixedIn })),
    steps: steps.map(({ id, check, run, outcomes }) => ({
      id,
      check: check[locale],
      run,
      outcomes: outcomes.map(({ when, means, remedy, lead }) => ({
        when: when[locale],
        means: means?.[locale] ?? null,
        remedy: remedy?.[locale] ?? null,
        lead: lead ?? null,
      })),
    })),
    references,
  };
}

/** What an exit code means, in one language. */
export function presentExitCode({ given, code, entry, signal, folding }: ExplainedExitCode, locale: Locale) {
  const { origin, title, meaning, problems, guides } = entry;
  return {
    given,
    code,
    name: 'name' in entry ? (entry.name ?? null) : null,
    origin,
    title: title[locale],
    meaning: meaning[locale],
    signal: signal ? { name: signal.name, number: signal.number, meaning: signal.meaning[locale] } : null,
    folding: folding?.[locale] ?? null,
    problems,
    guides,
  };
}

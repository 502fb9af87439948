import type { Problem } from '../knowledge/problem.js';
import { describeMatch } from './describe-match.js';
import type { Diagnosis } from './diagnosis.js';
import type { EventFacts } from './event-facts.js';
import { BASIS, type Basis, type RuleMatch } from './verify-rule.js';

/** A problem that at least one rule holds for. */
export interface Candidate {
  problem: Problem;
  best: RuleMatch;
  /** Every rule of it that holds, the best first. */
  matches: RuleMatch[];
  /** Why it is not reported after all; undefined for a diagnosis. */
  dropped: string | undefined;
}

/**
 * Orders the problems of the rules that hold, best first, and marks those that a better one makes superfluous: a matched
 * text inside the matched text of a better one, and fallbacks beside anything specific.
 */
export function rankMatches(matches: readonly RuleMatch[]): Candidate[] {
  const byProblem = new Map<string, Candidate>();
  for (const match of matches) {
    const { problem } = match.rule;
    const known = byProblem.get(problem.id);
    if (known) known.matches.push(match);
    else byProblem.set(problem.id, { problem, best: match, matches: [match], dropped: undefined });
  }
  const candidates = [...byProblem.values()];
  for (const candidate of candidates) {
    if (candidate.matches.length > 1)
      candidate.matches.sort((a, b) => b.basis - a.basis || b.score - a.score || a.rule.index - b.rule.index);
    candidate.best = candidate.matches[0]!;
  }
  if (candidates.length > 1)
    candidates.sort((a, b) => strength(b) - strength(a) || b.best.score - a.best.score || (a.problem.id < b.problem.id ? -1 : 1));
  const specific = candidates.find(({ problem }) => !problem.fallback);
  for (const [i, candidate] of candidates.entries()) {
    if (candidate.problem.fallback && specific) candidate.dropped = `fallback beside ${specific.problem.id}`;
    else {
      const cover = candidates
        .slice(0, i)
        .find((better) => better.dropped === undefined && isBetter(better, candidate) && covers(better, candidate));
      if (cover) candidate.dropped = `its text lies inside that of ${cover.problem.id}`;
    }
  }
  return candidates;
}

/** Fallbacks come after everything else, in the same order among themselves. */
function strength(candidate: Candidate): number {
  return candidate.best.basis + (candidate.problem.fallback ? 0 : 10);
}

/** Less than a point apart, two problems are equally likely, and both are told. */
function isBetter(a: Candidate, b: Candidate): boolean {
  return strength(a) > strength(b) || a.best.score - b.best.score >= 1;
}

/** True if the text that decided for `b` lies inside what `a` rests on; a mere reason rests on no text. */
function covers(a: Candidate, b: Candidate): boolean {
  if (a.best.spans.length === 0) return false;
  const { spans } = b.best;
  for (let i = 0; i < spans.length; i += 2) if (!a.matches.some((match) => holds(match.spans, spans[i]!, spans[i + 1]!))) return false;
  return true;
}

function holds(spans: number[], start: number, end: number): boolean {
  for (let i = 0; i < spans.length; i += 2) if (spans[i]! <= start && spans[i + 1]! >= end) return true;
  return false;
}

/** Lowest and highest confidence for each basis, so that the order of diagnoses is the order of their confidence. */
const confidence: Record<Basis | 0, [number, number]> = {
  [BASIS.code]: [0.95, 0.99],
  [BASIS.text]: [0.6, 0.94],
  [BASIS.exitCode]: [0.5, 0.59],
  [BASIS.reason]: [0.4, 0.49],
  0: [0.2, 0.39],
};

/** The diagnoses among the candidates, best first. */
export function toDiagnoses(candidates: readonly Candidate[], facts: EventFacts): Diagnosis[] {
  return candidates.filter(({ dropped }) => dropped === undefined).map((candidate) => toDiagnosis(candidate, facts));
}

function toDiagnosis(candidate: Candidate, facts: EventFacts): Diagnosis {
  const { problem, best, matches } = candidate;
  const [low, high] = confidence[problem.fallback ? 0 : best.basis];
  const weight = problem.fallback ? best.score + best.basis * 10 : best.score;
  const captured: Record<string, string> = {};
  for (const match of matches)
    for (const [name, value] of Object.entries(match.captured)) if (!Object.hasOwn(captured, name)) captured[name] = value;
  return {
    problem: problem.id,
    confidence: Math.round((low + (high - low) * (1 - Math.exp(-weight / 25))) * 100) / 100,
    matchedOn: describeMatch(best, facts),
    captured,
  };
}

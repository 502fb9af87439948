import type { Matcher } from './compile-matcher.js';
import { describeMatch } from './describe-match.js';
import type { Diagnosis } from './diagnosis.js';
import { EventFacts, type MatchableEvent, type MatchContext } from './event-facts.js';
import { findMatches } from './match-event.js';
import { rankMatches, toDiagnoses } from './rank-matches.js';
import { BASIS } from './verify-rule.js';

/** A problem with a rule that holds, whether it is reported or not. */
export interface ExplainedCandidate {
  problem: string;
  fallback: boolean;
  /** What the best rule rests on. */
  basis: 'code' | 'text' | 'exitCode' | 'reason';
  /** Literal characters that agree, and the little that reason, reporter, kind, type and vendor add. */
  score: number;
  /** Every rule that holds: its position in `recognise`, and what decided. */
  rules: { index: number; matchedOn: string; score: number }[];
  captured: Record<string, string>;
  /** Why it is not reported; undefined for a diagnosis. */
  dropped: string | undefined;
}

/** How a verdict came about. */
export interface MatchExplanation {
  /** The message without its prefixes, as the rules saw it. */
  message: string;
  code: string | undefined;
  exitCodes: number[];
  candidates: ExplainedCandidate[];
  diagnoses: Diagnosis[];
}

/** Tells of every problem that came into question for the event, and what decided between them. */
export function explainMatch(matcher: Matcher, event: MatchableEvent, context: MatchContext = {}): MatchExplanation {
  const facts = new EventFacts(event, context, matcher.work.room);
  const ranked = rankMatches(findMatches(matcher, facts));
  const candidates = ranked.map(({ problem, best, matches, dropped }) => ({
    problem: problem.id,
    fallback: problem.fallback,
    basis: nameOfBasis(best.basis),
    score: best.score,
    rules: matches.map((match) => ({ index: match.rule.index, matchedOn: describeMatch(match, facts), score: match.score })),
    captured: Object.assign({}, ...matches.map(({ captured }) => captured).toReversed()) as Record<string, string>,
    dropped,
  }));
  return {
    message: facts.message,
    code: facts.code?.code,
    exitCodes: facts.exitCodes.map(({ exitCode }) => exitCode),
    candidates,
    diagnoses: toDiagnoses(ranked, facts),
  };
}

function nameOfBasis(basis: number): ExplainedCandidate['basis'] {
  return (Object.keys(BASIS) as (keyof typeof BASIS)[]).find((name) => BASIS[name] === basis)!;
}

import type { Problem } from '../knowledge/problem.js';
import { compileRules, type CompiledRule } from './compile-rule.js';
import type { Diagnosis } from './diagnosis.js';
import { EventFacts, type MatchableEvent, type MatchContext } from './event-facts.js';
import { rankMatches, toDiagnoses } from './rank-matches.js';
import { verifyRule } from './verify-rule.js';

const compiled = new WeakMap<readonly Problem[], CompiledRule[]>();

/** The answer of `matchEvent` by holding every rule of every problem to the event: slow, and plainly right. */
export function matchNaively(problems: readonly Problem[], event: MatchableEvent, context: MatchContext = {}): Diagnosis[] {
  if (event.alert?.resolved) return [];
  const facts = new EventFacts(event, context);
  let rules = compiled.get(problems);
  if (!rules) compiled.set(problems, (rules = problems.flatMap(compileRules)));
  return toDiagnoses(rankMatches(rules.map((rule) => verifyRule(rule, facts)).filter((match) => match !== undefined)), facts);
}

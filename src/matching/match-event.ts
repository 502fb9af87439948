import { scanAnchors } from './anchor-automaton.js';
import type { Matcher } from './compile-matcher.js';
import type { Diagnosis } from './diagnosis.js';
import { EventFacts, type MatchableEvent, type MatchContext } from './event-facts.js';
import { rankMatches, toDiagnoses } from './rank-matches.js';
import { verifyRule, type RuleMatch } from './verify-rule.js';

/**
 * Tells which problems an event shows, best first; none where nothing known is seen. The index selects the few rules
 * whose reason, code or text the event has, and only those are held to it.
 */
export function matchEvent(matcher: Matcher, event: MatchableEvent, context: MatchContext = {}): Diagnosis[] {
  const facts = new EventFacts(event, context, matcher.room);
  const matches = findMatches(matcher, facts);
  return matches.length === 0 ? [] : toDiagnoses(rankMatches(matches), facts);
}

/** Every rule that holds for the event, each once. */
export function findMatches(matcher: Matcher, facts: EventFacts): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const turn = nextTurn(matcher);
  const tryRules = (numbers: readonly number[] | undefined): void => {
    if (!numbers) return;
    for (const number of numbers) {
      if (matcher.seen[number] === turn) continue;
      matcher.seen[number] = turn;
      const match = verifyRule(matcher.rules[number]!, facts);
      if (match) matches.push(match);
    }
  };
  let named = false;
  let exits = false;
  scanAnchors(matcher.anchors, facts.text.codes, facts.text.length, (anchor) => {
    if (anchor < matcher.codeLabel) tryRules(matcher.rulesOfAnchor[anchor]);
    else if (anchor < matcher.exitLabel) named = true;
    else exits = true;
  });
  if ((named || startsLikeCode(facts)) && facts.code) tryRules(matcher.byCode.get(facts.code.code));
  if (exits && matcher.byExitCode.size > 0) for (const { exitCode } of facts.exitCodes) tryRules(matcher.byExitCode.get(exitCode));
  if (facts.reason !== '') tryRules(matcher.byReason.get(facts.reason));
  tryRules(matcher.always);
  return matches;
}

/** A code leads a text as a letter and digits, perhaps behind a bracket. */
function startsLikeCode({ text }: EventFacts): boolean {
  const digit = text.codes[1]!;
  const second = text.codes[2]!;
  return text.length > 4 && ((digit >= 0x30 && digit <= 0x39) || (second >= 0x30 && second <= 0x39));
}

/** The number of this event; when the numbers are used up, all rules are as good as new. */
function nextTurn(matcher: Matcher): number {
  if (matcher.turn === 0xffffffff) {
    matcher.seen.fill(0);
    matcher.turn = 0;
  }
  return ++matcher.turn;
}

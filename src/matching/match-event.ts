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
  // It carries the same words as the alert's beginning, and says that they are no longer true.
  if (event.alert?.resolved) return [];
  const facts = new EventFacts(event, context, matcher.work.room);
  const matches = findMatches(matcher, facts);
  return matches.length === 0 ? [] : toDiagnoses(rankMatches(matches), facts);
}

/** Every rule that holds for the event, each once. */
export function findMatches(matcher: Matcher, facts: EventFacts): RuleMatch[] {
  const { work } = matcher;
  const turn = nextTurn(matcher);
  let count = selectByText(matcher, facts, turn);
  const select = (numbers: readonly number[] | undefined): void => {
    for (const number of numbers ?? []) {
      if (work.seenRules[number] === turn) continue;
      work.seenRules[number] = turn;
      work.candidates[count++] = number;
    }
  };
  if ((sawLabel(matcher, matcher.codeLabel, matcher.exitLabel) || startsLikeCode(facts)) && facts.code)
    select(matcher.byCode.get(facts.code.code));
  if (sawLabel(matcher, matcher.exitLabel, work.seenAnchors.length))
    for (const { exitCode } of facts.exitCodes) select(matcher.byExitCode.get(exitCode));
  if (facts.reason !== '') select(matcher.byReason.get(facts.reason));
  select(matcher.always);

  const matches: RuleMatch[] = [];
  for (let i = 0; i < count; i++) {
    const number = work.candidates[i]!;
    const match = verifyRule(matcher.rules[number]!, facts, { seen: work.seenTemplates, turn, first: matcher.firstTemplate[number]! });
    if (match) matches.push(match);
  }
  return matches;
}

/** Walks over the text once, marks the templates of which a piece is in it, and lists their rules; returns how many. */
function selectByText({ anchors, templatesOfAnchor, ruleOfTemplate, work }: Matcher, { text }: EventFacts, turn: number): number {
  const { seenAnchors, seenTemplates, seenRules, candidates } = work;
  let count = 0;
  scanAnchors(anchors, text.codes, text.length, (anchor) => {
    if (seenAnchors[anchor] === turn) return;
    seenAnchors[anchor] = turn;
    const templates = templatesOfAnchor[anchor];
    if (!templates) return;
    for (const template of templates) {
      seenTemplates[template] = turn;
      const rule = ruleOfTemplate[template]!;
      if (seenRules[rule] === turn) continue;
      seenRules[rule] = turn;
      candidates[count++] = rule;
    }
  });
  return count;
}

function sawLabel({ work }: Matcher, from: number, to: number): boolean {
  for (let label = from; label < to; label++) if (work.seenAnchors[label] === work.turn) return true;
  return false;
}

/** A code leads a text as a letter and digits, perhaps behind a bracket. */
function startsLikeCode({ text }: EventFacts): boolean {
  const digit = text.codes[1]!;
  const second = text.codes[2]!;
  return text.length > 4 && ((digit >= 0x30 && digit <= 0x39) || (second >= 0x30 && second <= 0x39));
}

/** The number of this event; when the numbers are used up, all marks are wiped. */
function nextTurn({ work }: Matcher): number {
  if (work.turn === 0xffffffff) {
    for (const marks of [work.seenAnchors, work.seenTemplates, work.seenRules]) marks.fill(0);
    work.turn = 0;
  }
  return ++work.turn;
}

import type { Provider } from '../knowledge/problem-file.js';
import type { CompiledRegex, CompiledRule } from './compile-rule.js';
import type { EventFacts } from './event-facts.js';
import { containsTemplate, matchTemplate } from './match-template.js';
import { acceptsName, namesName } from './name-list.js';
import { findLiteral } from './squeeze-text.js';

/** What a rule rests on, from weakest to strongest. */
export const BASIS = { reason: 1, exitCode: 2, text: 3, code: 4 } as const;
export type Basis = (typeof BASIS)[keyof typeof BASIS];

/** A rule that holds for an event, and how well. */
export interface RuleMatch {
  rule: CompiledRule;
  basis: Basis;
  /** Literal characters that agree, plus a little for everything else that agrees. */
  score: number;
  /** Start and end of each piece of text it rests on, flat, in the squeezed text. */
  spans: number[];
  captured: Record<string, string>;
  /** Source of the template or expression that was found. */
  text: string | undefined;
  exitCode: number | undefined;
}

const bonus = { reason: 3, reporter: 2, kind: 1, type: 1, vendor: 3, generic: 0.5 };

/** What an index knows already: templates that are not marked with this turn cannot be in the text. */
export interface TemplateMarks {
  seen: Uint32Array;
  turn: number;
  /** Position of the rule's first template among the marks. */
  first: number;
}

/** Holds one rule to an event; everything that the rule says has to be so. Undefined if it is not. */
export function verifyRule(rule: CompiledRule, facts: EventFacts, marks?: TemplateMarks): RuleMatch | undefined {
  if (!fitsFrame(rule, facts)) return undefined;
  const match: RuleMatch = {
    rule,
    basis: BASIS.reason,
    score: frameScore(rule, facts),
    spans: [],
    captured: {},
    text: undefined,
    exitCode: undefined,
  };
  if (rule.exitCodes.length > 0 && !takeExitCode(rule, facts, match)) return undefined;
  if (rule.messages.length > 0 && !takeMessage(rule, facts, match, rule.code === undefined ? marks : undefined)) return undefined;
  if (rule.regex && !takeRegex(rule.regex, rule.source.regex!, facts, match)) return undefined;
  // The name of an alert says as much as a code, whatever words its text uses.
  if (rule.alert) match.basis = BASIS.code;
  if (rule.code !== undefined) {
    match.basis = BASIS.code;
    match.spans.push(facts.code!.start, facts.code!.end);
  }
  if (facts.kind === '' && match.basis === BASIS.reason) return undefined;
  return rule.not.some((template) => containsTemplate(template, facts.text)) ? undefined : match;
}

/** Everything about the event but its text, and the code, which both are cheap to compare. */
function fitsFrame(rule: CompiledRule, facts: EventFacts): boolean {
  if (rule.vendor && facts.provider && !sameVendor(rule.vendor, facts.provider)) return false;
  if (rule.reasons.length > 0 && !rule.reasons.includes(facts.reason)) return false;
  if (facts.kind !== '' && !acceptsName(rule.kinds, facts.kind)) return false;
  if (rule.type !== undefined && facts.type !== '' && facts.type !== rule.type) return false;
  if (rule.reporters && facts.reporter !== '' && !acceptsName(rule.reporters, facts.reporter)) return false;
  if (rule.reporterRequired && facts.reporter === '') return false;
  if (rule.code === undefined) return true;
  if (facts.kind === '' && (facts.reporter === '' || !rule.reporters)) return false;
  return facts.code?.code === rule.code;
}

/** The serverless clusters of a vendor run the same controllers as its other clusters. */
function sameVendor(vendor: Provider, provider: Provider): boolean {
  return vendor === provider || (vendor.startsWith('tke') && provider.startsWith('tke'));
}

function frameScore(rule: CompiledRule, facts: EventFacts): number {
  let score = rule.vendor
    ? facts.provider === rule.vendor
      ? bonus.vendor
      : facts.provider
        ? bonus.vendor - 1
        : 0
    : facts.provider
      ? 0
      : bonus.generic;
  if (rule.reasons.length > 0) score += bonus.reason;
  if (rule.type !== undefined && facts.type !== '') score += bonus.type;
  if (facts.kind !== '' && namesName(rule.kinds, facts.kind)) score += bonus.kind;
  if (rule.reporters && facts.reporter !== '' && namesName(rule.reporters, facts.reporter)) score += bonus.reporter;
  return score;
}

/** The first template that is found, which says most, gives the score; others that are found add what they captured. */
function takeMessage(rule: CompiledRule, facts: EventFacts, match: RuleMatch, marks: TemplateMarks | undefined): boolean {
  for (let i = 0; i < rule.messages.length; i++) {
    if (marks && marks.seen[marks.first + i] !== marks.turn) continue;
    const template = rule.messages[i]!;
    const found = matchTemplate(template, facts.text);
    if (!found) continue;
    match.spans.push(found.start, found.end);
    match.captured = { ...found.captured, ...match.captured };
    if (match.text !== undefined) continue;
    match.text = template.source;
    match.basis = BASIS.text;
    match.score += template.literal;
  }
  return match.text !== undefined;
}

function takeExitCode(rule: CompiledRule, facts: EventFacts, match: RuleMatch): boolean {
  const found = facts.exitCodes.find(({ exitCode }) => rule.exitCodes.includes(exitCode));
  if (!found) return false;
  match.basis = BASIS.exitCode;
  match.exitCode = found.exitCode;
  match.captured = { ...match.captured, exitCode: String(found.exitCode) };
  match.spans.push(found.start, found.end);
  return true;
}

function takeRegex(regex: CompiledRegex, source: string, facts: EventFacts, match: RuleMatch): boolean {
  for (const literal of regex.literals) if (findLiteral(facts.text, literal, 0) < 0) return false;
  const matcher = regex.expression.matcher(facts.message);
  if (!matcher.find()) return false;
  match.basis = BASIS.text;
  match.score += regex.literal;
  match.text ??= `/${source}/`;
  match.spans.push(squeezedPosition(facts, matcher.start()), squeezedPosition(facts, matcher.end()));
  for (const name of regex.names) {
    const value = matcher.group(name);
    if (value) match.captured = { ...match.captured, [name]: value };
  }
  return true;
}

/** First position of the squeezed text that lies at or behind a position of the original. */
function squeezedPosition(facts: EventFacts, original: number): number {
  let low = 0;
  let high = facts.text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (facts.text.origin[middle]! < original) low = middle + 1;
    else high = middle;
  }
  return low;
}

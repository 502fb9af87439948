import { RE2JS } from 're2js';
import type { Problem } from '../knowledge/problem.js';
import type { Provider, Rule } from '../knowledge/problem-file.js';
import { compileTemplate, type CompiledTemplate } from './compile-template.js';
import { literalsOfRegex } from './literals-of-regex.js';
import { compileNames, type NameList } from './name-list.js';
import { literalOf } from './squeeze-text.js';

/** A rule of a problem, ready to be held to events. */
export interface CompiledRule {
  problem: Problem;
  /** Position in the problem's `recognise`. */
  index: number;
  source: Rule;
  code: string | undefined;
  /** True for a rule that names alerts. */
  alert: boolean;
  /** Lower case; empty for any. */
  reasons: string[];
  type: string | undefined;
  messages: CompiledTemplate[];
  not: CompiledTemplate[];
  regex: CompiledRegex | undefined;
  exitCodes: number[];
  kinds: NameList;
  reporters: NameList | undefined;
  reporterRequired: boolean;
  vendor: Provider | undefined;
}

/** An expression with the literal pieces that every match of it has to contain. */
export interface CompiledRegex {
  expression: RE2JS;
  names: string[];
  literals: Uint16Array[];
  /** Literal characters that it demands, the counterpart of a template's. */
  literal: number;
}

/** Who an alert comes from; see `alertmanagerFormat`. */
const ALERTMANAGER = compileNames(['alertmanager']);

/** Prepares every rule of a problem; throws where a template or an expression is wrong, which the loader has checked. */
export function compileRules(problem: Problem): CompiledRule[] {
  return problem.recognise.map((rule, index) => ({
    problem,
    index,
    source: rule,
    code: rule.code,
    alert: rule.alert !== undefined,
    reasons: list(rule.alert ?? rule.reason).map((reason) => reason.toLowerCase()),
    type: rule.alert === undefined ? rule.type?.toLowerCase() : 'warning',
    // The template that says most comes first, so the first that is found is the best.
    messages: list(rule.message)
      .map(compileTemplate)
      .sort((a, b) => b.literal - a.literal),
    not: list(rule.not).map(compileTemplate),
    regex: rule.regex === undefined ? undefined : compileRegex(rule.regex),
    exitCodes: list(rule.exitCode),
    // What the labels of an alert name differs from one monitoring to the next; its own name is enough.
    kinds: compileNames(rule.kinds ?? (rule.alert === undefined ? problem.objectKinds : ['*'])),
    reporters: rule.alert === undefined ? rule.reporters && compileNames(rule.reporters) : ALERTMANAGER,
    reporterRequired: rule.reporterRequired ?? rule.alert !== undefined,
    vendor: problem.provider === 'kubernetes' || problem.provider === 'casebook' ? undefined : problem.provider,
  }));
}

function compileRegex(source: string): CompiledRegex {
  const expression = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  const literals = literalsOfRegex(source)
    .map(literalOf)
    .filter((codes) => codes.length > 0);
  const names = Object.keys(expression.namedGroups());
  return { expression, names, literals, literal: literals.reduce((sum, codes) => sum + codes.length, 0) };
}

function list<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

import type { Problem } from '../knowledge/problem.js';
import { buildAnchorAutomaton, type AnchorAutomaton } from './anchor-automaton.js';
import { chooseAnchors } from './choose-anchors.js';
import { compileRules, type CompiledRule } from './compile-rule.js';
import { emptySqueezedText, literalOf, type SqueezedText } from './squeeze-text.js';

/** All rules of a set of problems behind one index. It is made once per set, and holds the room for one event at a time. */
export interface Matcher {
  rules: readonly CompiledRule[];
  byCode: ReadonlyMap<string, readonly number[]>;
  /** Rules that need a reason and no text, by reason in lower case. */
  byReason: ReadonlyMap<string, readonly number[]>;
  byExitCode: ReadonlyMap<number, readonly number[]>;
  /** Rules that nothing selects: an expression without literal text and without a reason. */
  always: readonly number[];
  anchors: AnchorAutomaton;
  /** Templates of each anchor; the anchors after these are the labels of codes and of exit codes. */
  templatesOfAnchor: readonly (readonly number[])[];
  codeLabel: number;
  exitLabel: number;
  /** Templates are numbered through all rules: for each its rule, and for each rule its first. */
  ruleOfTemplate: Uint32Array;
  firstTemplate: Uint32Array;
  work: MatcherWork;
}

/** What a matcher keeps from one event to the next instead of allocating it; marks hold the number of the event. */
export interface MatcherWork {
  turn: number;
  room: SqueezedText;
  seenAnchors: Uint32Array;
  seenTemplates: Uint32Array;
  seenRules: Uint32Array;
  candidates: Uint32Array;
}

const codeLabels = ['errorcode', 'retruncode', 'returncode'];
const exitLabels = ['exit', 'terminatedwith'];

/** Compiles the rules of all problems and indexes them by what an event has to show for each. */
export function compileMatcher(problems: readonly Problem[]): Matcher {
  const rules = problems.flatMap(compileRules);
  const byCode = new Map<string, number[]>();
  const byReason = new Map<string, number[]>();
  const byExitCode = new Map<number, number[]>();
  const always: number[] = [];
  const anchorsOfRule = chooseAnchors(rules);
  const anchorNumbers = new Map<string, number>();
  const pieces: Uint16Array[] = [];
  const templatesOfAnchor: number[][] = [];
  const ruleOfTemplate: number[] = [];
  const firstTemplate = new Uint32Array(rules.length);
  for (const [number, rule] of rules.entries()) {
    const anchors = anchorsOfRule[number]!;
    firstTemplate[number] = ruleOfTemplate.length;
    if (rule.code !== undefined) push(byCode, rule.code, number);
    else if (anchors.length > 0) {
      for (const anchor of anchors) {
        const key = String.fromCharCode(...anchor);
        let at = anchorNumbers.get(key);
        if (at === undefined) {
          anchorNumbers.set(key, (at = pieces.push(anchor) - 1));
          templatesOfAnchor.push([]);
        }
        templatesOfAnchor[at]!.push(ruleOfTemplate.push(number) - 1);
      }
    } else if (rule.exitCodes.length > 0) for (const exitCode of rule.exitCodes) push(byExitCode, exitCode, number);
    else if (rule.reasons.length > 0) for (const reason of rule.reasons) push(byReason, reason, number);
    else always.push(number);
  }
  const codeLabel = pieces.length;
  const exitLabel = codeLabel + codeLabels.length;
  pieces.push(...[...codeLabels, ...exitLabels].map(literalOf));
  const work: MatcherWork = {
    turn: 0,
    room: emptySqueezedText(),
    seenAnchors: new Uint32Array(pieces.length),
    seenTemplates: new Uint32Array(ruleOfTemplate.length),
    seenRules: new Uint32Array(rules.length),
    candidates: new Uint32Array(rules.length),
  };
  const anchors = buildAnchorAutomaton(pieces);
  return {
    rules,
    byCode,
    byReason,
    byExitCode,
    always,
    anchors,
    templatesOfAnchor,
    codeLabel,
    exitLabel,
    ruleOfTemplate: Uint32Array.from(ruleOfTemplate),
    firstTemplate,
    work,
  };
}

function push<K>(index: Map<K, number[]>, key: K, rule: number): void {
  const rules = index.get(key);
  if (!rules) index.set(key, [rule]);
  else if (rules.at(-1) !== rule) rules.push(rule);
}

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
  /** Rules of each anchor; the last anchors are the labels of codes and of exit codes. */
  rulesOfAnchor: readonly (readonly number[])[];
  codeLabel: number;
  exitLabel: number;
  /** For each rule the number of the event that it was last a candidate of. */
  seen: Uint32Array;
  room: SqueezedText;
  turn: number;
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
  const rulesOfAnchor: number[][] = [];
  for (const [number, rule] of rules.entries()) {
    const anchors = anchorsOfRule[number]!;
    if (rule.code !== undefined) push(byCode, rule.code, number);
    else if (anchors.length > 0) {
      for (const anchor of anchors) {
        const key = String.fromCharCode(...anchor);
        let at = anchorNumbers.get(key);
        if (at === undefined) {
          anchorNumbers.set(key, (at = pieces.push(anchor) - 1));
          rulesOfAnchor.push([]);
        }
        rulesOfAnchor[at]!.push(number);
      }
    } else if (rule.exitCodes.length > 0) for (const exitCode of rule.exitCodes) push(byExitCode, exitCode, number);
    else if (rule.reasons.length > 0) for (const reason of rule.reasons) push(byReason, reason, number);
    else always.push(number);
  }
  const codeLabel = pieces.length;
  const exitLabel = codeLabel + codeLabels.length;
  pieces.push(...[...codeLabels, ...exitLabels].map(literalOf));
  return {
    rules,
    byCode,
    byReason,
    byExitCode,
    always,
    anchors: buildAnchorAutomaton(pieces),
    rulesOfAnchor,
    codeLabel,
    exitLabel,
    seen: new Uint32Array(rules.length),
    room: emptySqueezedText(),
    turn: 0,
  };
}

function push<K>(index: Map<K, number[]>, key: K, rule: number): void {
  const rules = index.get(key);
  if (!rules) index.set(key, [rule]);
  else if (rules.at(-1) !== rule) rules.push(rule);
}

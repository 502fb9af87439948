import type { CompiledRule } from './compile-rule.js';
import type { EventFacts } from './event-facts.js';
import { containsTemplate, matchTemplate } from './match-template.js';
import { acceptsName } from './name-list.js';
import { verifyRule } from './verify-rule.js';

/** Says in words for an author why a rule does not hold for an event; undefined if it does. */
export function whyRuleFails(rule: CompiledRule, facts: EventFacts): string | undefined {
  if (verifyRule(rule, facts)) return undefined;
  const { kind, reason, type, reporter, provider } = facts;
  if (rule.vendor && provider && rule.vendor.split('-')[0] !== provider.split('-')[0]) return `the cluster is of provider ${provider}`;
  if (rule.code !== undefined && facts.code?.code !== rule.code)
    return facts.code ? `the text names the code ${facts.code.code}` : `the text does not name the code ${rule.code}`;
  if (kind !== '' && !acceptsName(rule.kinds, kind)) return `the kind ${kind} does not fit`;
  if (rule.reporters && reporter !== '' && !acceptsName(rule.reporters, reporter)) return `the reporter ${reporter} is a stranger`;
  if (rule.reporterRequired && reporter === '') return 'the event has no reporter';
  if (rule.reasons.length > 0 && !rule.reasons.includes(reason))
    return reason === '' ? 'the event has no reason' : `the reason is ${reason}`;
  if (rule.type !== undefined && type !== '' && type !== rule.type) return `the type is ${type}`;
  if (rule.code !== undefined && kind === '') return 'a code without a kind needs a reporter that is known';
  if (rule.exitCodes.length > 0 && !facts.exitCodes.some(({ exitCode }) => rule.exitCodes.includes(exitCode)))
    return 'the text names no such exit code';
  if (rule.messages.length > 0 && !rule.messages.some((template) => matchTemplate(template, facts.text)))
    return 'the text is not found (mind word borders at both ends)';
  const hindrance = rule.not.find((template) => containsTemplate(template, facts.text));
  if (hindrance) return `the text contains what "not" rules out: "${hindrance.source}"`;
  if (rule.regex && !rule.regex.expression.matcher(facts.message).find()) return 'the expression is not found';
  return 'an event without a kind is recognised by its text only';
}

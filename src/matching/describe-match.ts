import type { EventFacts } from './event-facts.js';
import { namesName } from './name-list.js';
import type { RuleMatch } from './verify-rule.js';

const longest = 120;

/** What decided, in words: `code E4011 on Ingress`, `text "no space left on device", reason Evicted`. */
export function describeMatch(match: RuleMatch, facts: EventFacts): string {
  const { rule, text, exitCode } = match;
  const parts: string[] = [];
  if (rule.code !== undefined) parts.push(`code ${rule.code}`);
  const alert = [rule.source.alert ?? []].flat().find((name) => name.toLowerCase() === facts.reason);
  if (alert !== undefined) parts.push(`alert ${alert}`);
  if (text !== undefined) parts.push(`text ${quote(text)}`);
  if (exitCode !== undefined) parts.push(`exit code ${exitCode}`);
  const reason = [rule.source.reason ?? []].flat().find((name) => name.toLowerCase() === facts.reason);
  if (reason !== undefined) parts.push(`reason ${reason}`);
  if (!rule.alert && rule.reporters && facts.reporter !== '' && namesName(rule.reporters, facts.reporter))
    parts.push(`reporter ${facts.reporter}`);
  const kind = (rule.source.kinds ?? rule.problem.objectKinds).find((name) => name.toLowerCase() === facts.kind);
  const sentence = parts.join(', ');
  return kind === undefined
    ? sentence
    : parts.length === 1
      ? `${sentence} on ${kind}`
      : `${parts[0]} on ${kind}, ${parts.slice(1).join(', ')}`;
}

function quote(text: string): string {
  return text.startsWith('/') && text.endsWith('/') ? text : `"${text.length > longest ? `${text.slice(0, longest)}…` : text}"`;
}

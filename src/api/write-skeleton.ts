import type { MessagePattern } from '../matching/message-pattern.js';
import { ruleTemplate } from '../matching/rule-template.js';

/** An event of a pattern, as an example for a problem. */
export interface SkeletonSample {
  type: string;
  message: string;
}

const EXAMPLES = 3;

/**
 * Writes a problem file for a pattern, as text in YAML, for somebody to fill in: the rule, the kind and the examples stand, what says
 * TODO does not. `knowledge:check` refuses it until it is filled in.
 */
export function writeSkeleton(pattern: Omit<MessagePattern, 'id'>, samples: readonly SkeletonSample[]): string {
  const { kind, reporter, reason, template } = pattern;
  const messages = [...new Set(samples.map(({ message }) => message))];
  const rule = ruleTemplate(template, messages);
  const regardless = rule === undefined && reason === '';
  const lines = [
    '# yaml-language-server: $schema=../../problem.schema.json',
    '# Save as knowledge/<provider>/<area>/<name>.yaml, fill in what says TODO, and run: npm run knowledge:check',
    'title: { en: TODO what is wrong in one line, zh: 待填写 }',
    'summary:',
    '  en: TODO what it is, in two or three sentences.',
    '  zh: 待填写',
    'severity: error # TODO critical, error, warning or info',
    'consequence: { en: TODO what happens if nobody acts., zh: 待填写 }',
    `objectKinds: [${kind === '' ? "'*'" : quoted(kind)}]`,
    'clears: { by: quiet, quiet: 30m } # TODO how it ends',
    'recognise:',
    ...ruleLines(rule ?? (regardless ? 'TODO literal text with {placeholder}' : undefined), reason, reporter),
    'causes:',
    '  - text: { en: TODO the most likely cause., zh: 待填写 }',
    '    checks:',
    '      - run: kubectl describe {kind} {name} -n {namespace}',
    '        look: { en: TODO what confirms it., zh: 待填写 }',
    '    remedies:',
    '      - { en: TODO how to fix it., zh: 待填写 }',
    'examples:',
    '  match:',
    ...examplesOf(messages).map((message) => exampleLine(pattern, typeOf(samples, message), message)),
    '  noMatch:',
    exampleLine({ ...pattern, reason: '' }, '', 'TODO a text that looks alike and is something else'),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleLines(message: string | undefined, reason: string, reporter: string): string[] {
  const fields = [
    ...(message === undefined ? [] : [`message: ${quoted(message)}`]),
    ...(reason === '' ? [] : [`reason: ${quoted(reason)}`]),
    ...(reporter === '' ? [] : [`reporters: [${quoted(reporter)}]`]),
  ];
  return fields.map((field, i) => `${i === 0 ? '  - ' : '    '}${field}`);
}

/** At least two, as the check asks for. */
function examplesOf(messages: readonly string[]): string[] {
  const found = messages.slice(0, EXAMPLES);
  while (found.length < 2) found.push('TODO another true text');
  return found;
}

function typeOf(samples: readonly SkeletonSample[], message: string): string {
  return samples.find((sample) => sample.message === message)?.type ?? '';
}

function exampleLine({ kind, reporter, reason }: Omit<MessagePattern, 'id'>, type: string, message: string): string {
  const fields = Object.entries({ kind, reporter, reason, type }).filter(([, value]) => value !== '');
  return `    - { ${[...fields, ['message', message]].map(([name, value]) => `${name}: ${quoted(value!)}`).join(', ')} }`;
}

/** JSON is YAML too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

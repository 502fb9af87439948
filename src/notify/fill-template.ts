/** A value that a template may be made of. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What can be filled in; the same for every message, null where a message does not have it. */
export const TEMPLATE_FIELDS = [
  'id',
  'kind',
  'at',
  'webhook',
  'text',
  'incident',
  ...['id', 'cluster', 'problem', 'title', 'summary', 'consequence', 'remedies', 'code', 'severity', 'status'].map(
    (name) => `incident.${name}`,
  ),
  ...['subject', 'subject.kind', 'subject.namespace', 'subject.name', 'occurrences', 'affectedCount'].map((name) => `incident.${name}`),
  ...['firstSeenAt', 'lastSeenAt', 'resolvedAt', 'resolvedBy', 'mergedInto'].map((name) => `incident.${name}`),
  'digest',
  'digest.total',
  'digest.counts',
  'digest.more',
];

const FIELD = /\{\{\s*([^{}]*?)\s*\}\}/g;
const MOST = 20_000;
const DEEPEST = 20;

/** What is wrong with a template, as a sentence; undefined when it is right. */
export function checkTemplate(text: string): string | undefined {
  if (text.length > MOST) return `template: expected at most ${MOST} characters, got ${text.length}.`;
  let template: Json;
  try {
    template = JSON.parse(text) as Json;
  } catch (error) {
    return `template: expected JSON, with fields such as "{{incident.title}}" inside its strings: ${(error as Error).message}.`;
  }
  if (depthOf(template) > DEEPEST) return `template: expected at most ${DEEPEST} levels.`;
  for (const [, field] of text.matchAll(FIELD)) {
    if (!TEMPLATE_FIELDS.includes(field!))
      return `template: there is no field ${JSON.stringify(field)}; there are ${TEMPLATE_FIELDS.join(', ')}.`;
  }
  const rest = text.replaceAll(FIELD, '');
  if (rest.includes('{{')) return 'template: "{{" opens a field that is not closed by "}}".';
  return undefined;
}

/**
 * Fills a checked template. Fields are put into strings of the parsed template, so that no value can break out of its string; a string
 * that is one field alone becomes its value, a number or an object too.
 */
export function fillTemplate(template: string, values: Record<string, unknown>): unknown {
  return fill(JSON.parse(template) as Json, values);
}

function fill(part: Json, values: Record<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((each) => fill(each, values));
  if (typeof part === 'object' && part !== null)
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, fill(each, values)]));
  if (typeof part !== 'string') return part;
  const alone = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(part)?.[1];
  if (alone !== undefined) return valueOf(alone, values);
  return part.replaceAll(FIELD, (_, field: string) => toText(valueOf(field, values)));
}

function valueOf(field: string, values: Record<string, unknown>): unknown {
  if (!TEMPLATE_FIELDS.includes(field)) return null;
  let value: unknown = values;
  for (const name of field.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return value ?? null;
}

function toText(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function depthOf(part: Json): number {
  if (typeof part !== 'object' || part === null) return 0;
  return 1 + Math.max(0, ...Object.values(part).map(depthOf));
}

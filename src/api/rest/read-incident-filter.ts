import type { Knowledge } from '../../knowledge/problem.js';
import { RequestError } from '../../platform/refusal.js';
import type { IncidentFilter as StoredFilter } from '../../store/queries/incident-where.js';
import { IncidentStatus, Provider, Severity } from '../graphql/enums.js';
import type { IncidentFilter } from '../graphql/incident-types.js';
import { DateTime } from '../graphql/scalars.js';
import { toFilter } from '../graphql/to-incident-types.js';
import { checkText } from '../page.js';
import type { Query } from './read-query.js';
import { textOf } from './read-query.js';

const MAX_LENGTH = 20_000;

/** Names of the parameters that `readIncidentFilter` reads. */
export const FILTER_PARAMETERS = [
  'clusters',
  'namespaces',
  'kinds',
  'statuses',
  'severities',
  'problems',
  'codes',
  'providers',
  'subject',
  'seenAfter',
  'seenBefore',
  'search',
] as const;

/**
 * Reads a filter of incidents from query parameters: lists are separated by commas or given more than once, a subject is
 * `kind/namespace/name`.
 *
 * @throws RequestError BAD_INPUT that names the parameter and what was expected
 */
export function readIncidentFilter(query: Query, knowledge: Knowledge): StoredFilter {
  const filter: Partial<Record<keyof IncidentFilter, unknown>> = {
    clusters: listOf(query, 'clusters'),
    namespaces: listOf(query, 'namespaces'),
    kinds: listOf(query, 'kinds'),
    statuses: wordsOf(query, 'statuses', Object.values(IncidentStatus)),
    severities: wordsOf(query, 'severities', Object.values(Severity)),
    problems: listOf(query, 'problems'),
    codes: listOf(query, 'codes'),
    providers: wordsOf(query, 'providers', Object.values(Provider)),
    subject: subjectOf(textOf(query, 'subject')),
    seenAfter: timeOf(query, 'seenAfter'),
    seenBefore: timeOf(query, 'seenBefore'),
    search: textOf(query, 'search'),
  };
  return toFilter(filter as IncidentFilter, knowledge);
}

function listOf(query: Query, name: string): string[] | undefined {
  const given = query[name];
  if (given === undefined) return undefined;
  const texts = Array.isArray(given) ? given : [given];
  return texts.flatMap((text) => checkText(name, text, MAX_LENGTH).split(',')).filter((value) => value !== '');
}

function wordsOf(query: Query, name: string, known: readonly string[]): string[] | undefined {
  return listOf(query, name)?.map((value) => {
    const word = value.toLowerCase().replaceAll('_', '-');
    if (known.includes(word)) return word;
    throw new RequestError('BAD_INPUT', `${name} may hold ${known.join(', ')}; ${JSON.stringify(value.slice(0, 40))} is none of them.`);
  });
}

function subjectOf(text: string | undefined): { kind: string; namespace: string; name: string } | undefined {
  if (text === undefined) return undefined;
  const [kind, namespace, name, more] = text.split('/');
  if (kind && namespace !== undefined && name && more === undefined) return { kind, namespace, name };
  throw new RequestError('BAD_INPUT', 'subject has to be kind/namespace/name, such as Ingress/shop/web or Node//node-1.');
}

function timeOf(query: Query, name: string): number | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  try {
    return DateTime.parseValue(text);
  } catch (error) {
    throw new RequestError('BAD_INPUT', `${name}: ${(error as Error).message}.`);
  }
}

import type { Knowledge } from '../../knowledge/problem.js';
import { RequestError } from '../../platform/refusal.js';
import type { EpisodeRecord } from '../../store/queries/find-episodes.js';
import type { EventRecord } from '../../store/queries/find-incident-events.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import type { IncidentFilter as StoredFilter } from '../../store/queries/incident-where.js';
import { checkText } from '../page.js';
import { wordsOf } from '../search-problems.js';
import type { Episode, Event, IncidentFilter, ObjectRef } from './incident-types.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_VALUES = 500;

/** Whether a text is a UUID, as ids of incidents are. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id of a cursor. Throws RequestError BAD_CURSOR when it is no UUID. */
export function checkUuid(id: string): string {
  if (isUuid(id)) return id;
  throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
}

/** An incident on its way out; what is asked for more rarely is looked up by its resolver. */
export type IncidentToShow = Omit<IncidentRecord, 'subject'> & { subject: ObjectRef };

/** An incident in the form of the schema. */
export function toIncident(incident: IncidentRecord): IncidentToShow {
  return { ...incident, subject: toObjectRef(incident.subject) };
}

/** An object in the form of the schema. */
export function toObjectRef(object: { kind: string; namespace: string; name: string; container?: string }): ObjectRef {
  const { kind, namespace, name, container } = object;
  return { kind, namespace: namespace || null, name, container: container || null };
}

/** An episode in the form of the schema. */
export function toEpisode(episode: EpisodeRecord): Episode {
  return { ...episode, seconds: episode.endedAt === null ? null : (episode.endedAt - episode.startedAt) / 1000 };
}

/** An event in the form of the schema. */
export function toEvent({ uid, reason, message, type, reporter, host, count, firstAt, lastAt, ...object }: EventRecord): Event {
  const optional = { type: type || null, reporter: reporter || null, host: host || null };
  return { id: uid, reason, message, ...optional, object: toObjectRef(object), count, firstSeenAt: firstAt, lastSeenAt: lastAt };
}

/** A filter in the form of the store; words of a search also stand for the problems whose title holds them. */
export function toFilter(filter: IncidentFilter, knowledge: Knowledge): StoredFilter {
  const { clusters, namespaces, kinds, statuses, severities, problems, providers, subject } = filter;
  const lists = {
    clusters,
    namespaces,
    kinds,
    statuses,
    severities,
    problems,
    providers,
    codes: filter.codes?.map((code) => code.toUpperCase()),
  };
  for (const [name, values] of Object.entries(lists)) {
    if (values && values.length > MAX_VALUES) throw new RequestError('BAD_INPUT', `${name} holds more than ${MAX_VALUES} values.`);
    for (const value of values ?? []) checkText(name, value);
  }
  if (subject) for (const [name, value] of Object.entries(subject)) checkText(`subject.${name}`, value as string);
  const words = wordsOf(filter.search && checkText('search', filter.search, 200)).map((text) => ({
    text,
    problems: problemsTitled(knowledge, text),
  }));
  return {
    ...Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values ?? undefined])),
    ...(subject && { subject: { ...subject } }),
    seenAfter: filter.seenAfter ?? undefined,
    seenBefore: filter.seenBefore ?? undefined,
    words,
  };
}

function problemsTitled(knowledge: Knowledge, word: string): string[] {
  return knowledge.problems.filter(({ title }) => `${title.en}\n${title.zh}`.toLowerCase().includes(word)).map(({ id }) => id);
}

import { incidentChanges, liveSchemas } from './openapi-live.js';
import { trendsCsv } from './openapi-trends.js';

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const optionalTime = { ...optionalText, format: 'date-time' } as const;
const integer = { type: 'integer' } as const;
const object = (properties: Record<string, object>) => ({ type: 'object', required: Object.keys(properties), properties }) as const;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } });

const state = object({ status: text, acknowledgedBy: optionalText, assignee: optionalText });
const stateOrNull = { ...state, type: ['object', 'null'], description: 'How it stood; null for what events tell.' };
const expectedVersion = { ...integer, minimum: 1, description: 'Version that the caller has seen; the header If-Match says the same.' };
const incident = { name: 'incident', in: 'path', required: true, description: 'Id of the incident.', schema: text } as const;
const locale = {
  name: 'locale',
  in: 'query',
  required: false,
  description: 'Language of the title, en or zh; by default that of Accept-Language, else en.',
  schema: text,
} as const;
const historyPage = [
  {
    name: 'first',
    in: 'query',
    required: false,
    description: 'Most rows to return.',
    schema: { ...integer, minimum: 1, maximum: 100, default: 20 },
  },
  { name: 'after', in: 'query', required: false, description: 'Cursor after which to go on.', schema: text },
];
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the incident that the caller has seen: the change is refused with 409 if it is at another version by now.',
  schema: text,
} as const;

/** One incident and its history. */
export const workSchemas = {
  WorkedIncident: object({
    ...liveSchemas.Incident.properties,
    version: {
      ...integer,
      description: 'Grows with every change by a person and with every change of the status; the ETag of the answer.',
    },
    acknowledgedAt: optionalTime,
    acknowledgedBy: optionalText,
    assignee: { ...optionalText, description: 'Who works on it.' },
    silenced: { type: 'boolean', description: 'Whether a silence or a maintenance window covers it now.' },
  }),
  HistoryEntry: object({
    key: { ...text, description: 'Identity of the entry within the incident.' },
    at: { ...text, format: 'date-time' },
    kind: {
      ...text,
      enum: ['OPENED', 'REOPENED', 'RESOLVED', 'ACKNOWLEDGED', 'UNACKNOWLEDGED', 'ASSIGNED', 'COMMENTED'],
      description: 'What happened, or what a person did.',
    },
    by: { ...optionalText, description: 'Who did it; null for what events tell.' },
    text: { ...optionalText, description: 'The comment, or the reason that was given.' },
    resolution: { ...optionalText, description: 'Why it ended, where events tell that it did.' },
    before: stateOrNull,
    after: stateOrNull,
  }),
} as const;

/** What people do with an incident: name of the route, words, and what may be said. */
const WORK: readonly [string, string, string, Record<string, object>, string[]][] = [
  ['acknowledge', 'acknowledgeIncident', 'Takes an incident that is not resolved in hand', {}, []],
  ['unacknowledge', 'unacknowledgeIncident', 'Takes the acknowledgement of an incident back', {}, []],
  [
    'assign',
    'assignIncident',
    'Says who works on an incident',
    { assignee: { ...optionalText, maxLength: 200, description: 'Who; null for nobody.' } },
    [],
  ],
  ['comments', 'commentOnIncident', 'Writes a comment into the history of an incident', { text: { ...text, maxLength: 4000 } }, ['text']],
  [
    'resolve',
    'resolveIncident',
    'Ends an incident on all its objects',
    { reason: { ...optionalText, maxLength: 1000, description: 'Why.' } },
    [],
  ],
  ['reopen', 'reopenIncident', 'Opens a resolved incident again', {}, []],
];

/** The routes of incidents and of what became of them; `errors` describes their refusals. */
export const incidentPaths = (errors: (...statuses: number[]) => object) => {
  const worked = {
    ...answer('The incident as it is now.', ref('WorkedIncident')),
    headers: { ETag: { description: 'Its version.', schema: text } },
  };
  return {
    '/v1/trends.csv': { get: trendsCsv(errors(400, 401, 403, 503)) },
    '/v1/incidents/changes': { get: incidentChanges(errors(400, 401, 403, 410, 503)) },
    '/v1/incidents/{incident}': {
      get: {
        operationId: 'incident',
        summary: 'One incident',
        parameters: [incident, locale],
        responses: { 200: worked, ...errors(400, 401, 403, 404, 503, 504) },
      },
    },
    '/v1/incidents/{incident}/history': {
      get: {
        operationId: 'incidentHistory',
        summary: 'What people did with an incident and how its status changed, the latest first',
        parameters: [incident, ...historyPage],
        responses: { 200: answer('A page of the history.', ref('HistoryPage')), ...errors(400, 401, 403, 404, 503, 504) },
      },
    },
    ...Object.fromEntries(
      WORK.map(([route, operationId, summary, properties, required]) => [
        `/v1/incidents/{incident}/${route}`,
        {
          post: {
            operationId,
            summary,
            description: 'Needs the role operator. A change that does not fit how the incident stands is refused with 409 and the reason.',
            parameters: [incident, locale, ifMatch],
            requestBody: {
              required: required.length > 0,
              content: { 'application/json': { schema: { type: 'object', required, properties: { ...properties, expectedVersion } } } },
            },
            responses: { 200: worked, ...errors(400, 401, 403, 404, 409, 413, 503, 504) },
          },
        },
      ]),
    ),
  };
};

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const time = { type: 'string', format: 'date-time' } as const;
const optionalTime = { ...time, type: ['string', 'null'] } as const;
const integer = { type: 'integer' } as const;
const status = { type: 'string', enum: ['open', 'acknowledged', 'resolved'] } as const;
const severity = { type: 'string', enum: ['critical', 'error', 'warning', 'info'] } as const;
const object = (properties: Record<string, object>) => ({ type: 'object', required: Object.keys(properties), properties }) as const;
const before = ({ enum: values }: { enum: readonly string[] }, what: string) => ({
  type: ['string', 'null'],
  enum: [...values, null],
  description: `${what} before the change; null when the incident did not exist.`,
});
const inQuery = (name: string, description: string, schema: object = text) => ({ name, in: 'query', required: false, description, schema });
const list = (name: string, description: string) => inQuery(name, `${description}, separated by commas.`);

/** What a stream of changes holds. */
export const liveSchemas = {
  Incident: object({
    id: text,
    cluster: { ...optionalText, description: 'Name of its cluster.' },
    problem: { ...text, description: 'Id of the problem.' },
    title: { ...optionalText, description: 'Title of the problem; null when the knowledge base does not hold it any more.' },
    code: optionalText,
    severity,
    status,
    subject: object({ kind: text, namespace: optionalText, name: text }),
    occurrences: integer,
    affectedCount: { ...integer, description: 'Objects that have shown it; one with several failing containers counts once.' },
    firstSeenAt: time,
    lastSeenAt: time,
    resolvedAt: optionalTime,
    resolvedBy: { ...optionalText, description: 'SUCCESS_EVENT, QUIET, OBJECT_GONE, MANUAL or MERGED; null while it is open.' },
    diagnosis: {
      type: ['object', 'null'],
      properties: { matchedOn: text, confidence: { type: 'number' }, captured: { type: 'object', additionalProperties: text } },
    },
  }),
  IncidentChange: object({
    cursor: { ...text, description: 'Place in the sequence of all changes, the same as the id of the message.' },
    at: { ...time, description: 'When it was made, by the clock of the database.' },
    kind: { ...text, description: 'OPENED, REOPENED, RESOLVED, ACKNOWLEDGED, UPDATED, ASSIGNED or COMMENTED; more may come.' },
    statusBefore: before(status, 'Status'),
    status,
    severityBefore: before(severity, 'Severity'),
    severity,
    mergedInto: { ...optionalText, description: 'Id of the incident that it went into: it is RESOLVED and exists no more. Else null.' },
    incident: { $ref: '#/components/schemas/Incident' },
  }),
} as const;

/** The operation of a stream of changes; `errors` describes its refusals. */
export const incidentChanges = (errors: object) => ({
  operationId: 'incidentChanges',
  summary: 'Changes of incidents as they happen, as Server-Sent Events',
  description:
    'Each message holds an IncidentChange as JSON, and its cursor as id. The first message and those of every 15 seconds hold no data and may hold an id, from which to resume. A message of the event "end" tells by its code why the stream is ended. All conditions have to hold.',
  parameters: [
    list('clusters', 'Names of clusters'),
    list('namespaces', 'Namespaces of the subject'),
    list('kinds', 'Kinds of the subject, such as Ingress'),
    list('statuses', 'open, acknowledged, resolved, before or after the change'),
    list('severities', 'critical, error, warning, info, before or after the change'),
    list('problems', 'Ids of problems'),
    list('codes', 'Error codes; letter case does not matter'),
    list('providers', 'Providers whose problem it is'),
    inQuery('subject', 'An object that it is about or that shows it, as kind/namespace/name.'),
    inQuery('seenAfter', 'Seen at this time or later.', time),
    inQuery('seenBefore', 'Seen for the first time before this time.', time),
    inQuery('search', 'Words of the subject, the problem or its title, at most 200 characters.'),
    inQuery('after', 'Cursor after which to begin; by default now. The header Last-Event-ID counts more.'),
    inQuery('locale', 'Language of titles, en or zh; by default that of Accept-Language, else en.'),
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'Cursor that a client resumes after; browsers send it by themselves.',
      schema: text,
    },
  ],
  responses: {
    200: {
      description: 'The stream.',
      content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/IncidentChange' } } },
    },
    ...errors,
  },
});

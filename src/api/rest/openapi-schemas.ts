import { graphqlSchemas } from './openapi-graphql.js';
import { liveSchemas } from './openapi-live.js';
import { workSchemas } from './openapi-work.js';

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const texts = { type: 'array', items: text } as const;
const int = { type: 'integer' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const names = { type: 'object', additionalProperties: text } as const;
const list = (items: object) => ({ type: 'array', items }) as const;
const object = (properties: Record<string, object>) => ({ type: 'object', required: Object.keys(properties), properties }) as const;

/** A reference to one of the schemas below. */
export const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` }) as const;

const clusterProvider = { type: 'string', enum: ['kubernetes', 'tke', 'tke-serverless', 'ack'] };
const provider = { type: 'string', enum: [...clusterProvider.enum, 'casebook'] };
const severity = { type: 'string', enum: ['critical', 'error', 'warning', 'info'] };
const risk = {
  type: ['string', 'null'],
  enum: ['cluster-component-down', 'no-traffic-for-new', 'sync-blocked', 'backend-update-may-fail', 'none', null],
};
const codes = [
  'BAD_INPUT',
  'BAD_CURSOR',
  'CURSOR_EXPIRED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_LARGE',
  'UNSUPPORTED_ENCODING',
  'TIMEOUT',
  'BUSY',
  'INTERNAL',
];

const summary = { id: text, provider, area: text, code: optionalText, objectKinds: texts, severity, risk, title: text, summary: text };
const check = object({ look: text });
const checks = list({ ...check, properties: { run: { ...text, description: 'Command to run, where there is one.' }, look: text } });
const rejection = object({ index: { ...int, description: "Position among the body's elements, from 0." }, reason: text });
const cluster = {
  name: text,
  provider: clusterProvider,
  region: optionalText,
  labels: names,
  createdAt: time,
  lastHeardAt: { ...time, type: ['string', 'null'] },
};

const optionalTime = { ...time, type: ['string', 'null'] } as const;
const optionalInt = { type: ['integer', 'null'] } as const;
const health = {
  ...object({
    status: { type: 'string', enum: ['NEVER_HEARD', 'TALKING', 'QUIET', 'SILENT', 'SUSPENDED'] },
    reason: { ...text, description: 'Why, in one sentence.' },
    lastHeardAt: optionalTime,
    silentAt: { ...optionalTime, description: 'When it becomes, or became, silent if nothing comes; null when that is not judged.' },
    windowMinutes: { ...int, description: 'Length of the window that rates and lag are about.' },
    eventsPerMinute: { type: 'number', description: 'Events that were new or had grown.' },
    receivedPerMinute: { type: 'number', description: 'All events, repeats included.' },
    lagMedianSeconds: { ...optionalInt, description: 'How late half of the events came at most, rounded up.' },
    lag95Seconds: { ...optionalInt, description: 'How late 95 in 100 of them came at most, rounded up.' },
    usualPauseSeconds: { ...optionalInt, description: 'The third longest pause of the last seven days.' },
    silenceAfter: { ...optionalText, description: 'Its own setting; null for as the service is set.' },
    watched: { type: 'boolean' },
  }),
  type: ['object', 'null'],
};
const gaps = list(
  object({
    from: time,
    until: optionalTime,
    reason: { type: 'string', enum: ['CASEBOOK_AWAY', 'SUSPENDED', 'SILENT', 'QUIET'] },
  }),
);
const rejected = {
  id: text,
  cluster: { ...text, description: 'Name that it was sent to, or of the cluster that a watch read it from.' },
  firstAt: time,
  lastAt: time,
  count: { ...int, description: 'How many alike ones of one hour it stands for.' },
  code: text,
  reason: text,
  element: { ...optionalInt, description: 'Position of the refused element in the body; null when the whole body was refused.' },
  format: { ...optionalText, description: 'Format that was asked for, or the Content-Type; watch for what a watch read.' },
  bytes: { ...int, description: 'Size of the body as sent; 0 when it is not known, as for what a watch read.' },
  address: { ...text, description: 'Address that it came from; of the API server for what a watch read.' },
  userAgent: optionalText,
  token: { ...text, description: 'Whose token it came with: none, unknown, the id of a user such as admin-token, or the id of a token of a cluster.' },
  sample: { ...text, description: 'Its first bytes, at most 512, without secrets.' },
};

/** A page of a list whose rows are of another schema. */
const page = (rows: string) =>
  object({
    nodes: list({ $ref: `#/components/schemas/${rows}` }),
    pageInfo: object({
      hasNextPage: { type: 'boolean' },
      hasPreviousPage: { type: 'boolean' },
      startCursor: optionalText,
      endCursor: optionalText,
    }),
    totalCount: int,
  });
const references = list(object({ title: text, url: text }));
const guide = { id: text, title: text, symptom: text };
const lead = {
  type: ['object', 'null'],
  description: 'One of step, problem and guide; null ends the walk.',
  properties: { step: text, problem: text, guide: text },
};
const outcome = object({ when: text, means: optionalText, remedy: optionalText, lead });

const guideSchemas = {
  GuideSummary: object(guide),
  Guide: object({
    ...guide,
    problems: { ...texts, description: 'Ids of the problems that it is about, then of those that it may lead to.' },
    versions: list(object({ component: text, affected: text, fixedIn: texts })),
    steps: list(object({ id: text, check: text, run: texts, outcomes: list(outcome) })),
    references,
  }),
  GuidePage: page('GuideSummary'),
  ExitCode: object({
    given: { ...int, description: 'As it was asked for.' },
    code: { ...int, minimum: 0, maximum: 255, description: 'As it arrives.' },
    name: { ...optionalText, description: 'Name in sysexits.h.' },
    origin: { type: 'string', enum: ['program', 'shell', 'sysexits', 'runtime', 'signal'] },
    title: text,
    meaning: text,
    signal: { ...object({ name: text, number: int, meaning: text }), type: ['object', 'null'] },
    folding: { ...optionalText, description: 'How a code outside 0-255 arrives.' },
    problems: texts,
    guides: texts,
  }),
} as const;

/** What goes over the wire. */
export const schemas = {
  Error: object({ error: object({ code: { type: 'string', enum: codes }, message: text, requestId: text }) }),
  Intake: object({
    accepted: { ...int, description: 'Events that were new or had grown.' },
    merged: { ...int, description: 'Events that were known already.' },
    rejected: list(rejection),
  }),
  Diagnosis: object({
    problem: { ...text, description: 'Id of the problem.' },
    title: text,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    matchedOn: { ...text, description: 'What decided.' },
    captured: { ...names, description: 'What was taken out of the text.' },
    severity: { type: ['string', 'null'] },
    checks,
    remedies: texts,
  }),
  Diagnosed: object({
    results: list(
      object({
        index: int,
        diagnoses: { ...list({ $ref: '#/components/schemas/Diagnosis' }), description: 'Best first; empty when no problem is seen.' },
      }),
    ),
    rejected: list(rejection),
  }),
  ProblemSummary: object(summary),
  Problem: object({
    ...summary,
    consequence: text,
    clears: { ...text, description: 'How an incident of it ends.' },
    transient: { type: 'boolean' },
    escalateTo: optionalText,
    causes: list(object({ text, checks, remedies: texts })),
    related: list(object({ id: text, as: { type: 'string', enum: ['cause', 'effect', 'similar'] } })),
    guides: { ...texts, description: 'Ids of its guides.' },
    references,
  }),
  ProblemPage: page('ProblemSummary'),
  ...guideSchemas,
  ...liveSchemas,
  ...workSchemas,
  HistoryPage: page('HistoryEntry'),
  Code: object({ code: text, problems: list({ $ref: '#/components/schemas/Problem' }) }),
  Cluster: object(cluster),
  ClusterWithHealth: object({ ...cluster, health }),
  ClusterWithGaps: object({ ...cluster, health, gaps }),
  Clusters: object({ clusters: list({ $ref: '#/components/schemas/ClusterWithHealth' }) }),
  Rejected: object(rejected),
  RejectedPage: page('Rejected'),
  NewCluster: { type: 'object', required: ['name'], properties: { name: text, provider: clusterProvider, region: text, labels: names } },
  RegisteredCluster: object({ cluster: { $ref: '#/components/schemas/Cluster' }, token: { ...text, description: 'Shown this once.' } }),
  Health: object({ status: text }),
  NotReady: object({ status: text, missing: texts }),
  ...graphqlSchemas,
} as const;

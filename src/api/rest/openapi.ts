import { formatNames } from './format-names.js';
import { graphqlPath } from './openapi-graphql.js';
import { ref, schemas } from './openapi-schemas.js';
import { incidentPaths } from './openapi-work.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = (description: string, schema?: object) => ({ description, ...(schema && json(schema)) });
const inPath = (name: string, description: string) => ({ name, in: 'path', required: true, description, schema: { type: 'string' } });
const inQuery = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

const ERRORS: Record<number, string> = {
  400: 'Something in the request is wrong; the message says what.',
  401: 'A token is needed, or the one sent is not known.',
  403: 'The role of the token does not allow this, or its scope does not reach so far.',
  404: 'There is no such thing.',
  409: 'It does not fit what there is; the message says why.',
  410: 'What comes after the cursor is not kept any more: read the list again.',
  413: 'The body is too large.',
  415: 'The Content-Encoding is not supported.',
  503: 'Come back later: after as many seconds as Retry-After says.',
  504: 'It takes too long to answer this: ask for less.',
};
const errors = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, answer(ERRORS[status]!, ref('Error'))]));

const provider = inQuery('provider', 'Whose problems: kubernetes, tke, tke-serverless, ack or casebook.');
const locale = inQuery('locale', 'Language, en or zh; by default that of Accept-Language, else en.');
const cluster = inPath('cluster', 'Name of a registered cluster.');
const format = inQuery('format', 'Reads every element of the body in this one format; found out for each element when absent.', {
  type: 'string',
  enum: formatNames,
});
const signature = {
  ...inQuery(
    'X-Casebook-Signature',
    't=<unix seconds>,v1=<hex>: the HMAC-SHA-256 of "<t>." and the body as sent; needed where the cluster requires it.',
  ),
  in: 'header',
};
const rejectedPage = [
  inQuery('first', 'Most rows to return.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
  inQuery('after', 'Cursor after which to go on.'),
];
const open = { security: [] };
/** A token is needed once an overlay adds to the knowledge. */
const catalogue = { security: [{}, { token: [] }] };

const events = {
  description:
    'Events in any supported format, alone, in an array, or one after the other: Kubernetes Events and Lists of either API, lines of a watch, and what the senders named under `format` write. Any Content-Type or none; gzip and deflate are undone.',
  required: true,
  content: { '*/*': { schema: {} } },
};
const takeEvents = (operationId: string, summary: string) => ({
  operationId,
  summary,
  description:
    'Answers once the good events are durable; bad elements are listed and do not spoil the others. Sending the same events again is harmless.',
  parameters: [cluster, format, signature],
  requestBody: events,
  responses: { 200: answer('What became of the events.', ref('Intake')), ...errors(400, 401, 403, 404, 413, 415, 503) },
});
const idInPath = [inPath('provider', 'First part of the id.'), inPath('area', 'Second part.'), inPath('name', 'Third part.')];
const oneProblem = (operationId: string, parameters: ReturnType<typeof inPath>[]) => ({
  operationId,
  summary: 'One problem of the knowledge base',
  parameters: [...parameters, locale],
  responses: { 200: answer('The problem.', ref('Problem')), ...errors(401, 403, 404) },
});

/** The REST contract. A test compares it with the routes of the running service. */
export const openApi = {
  openapi: '3.1.0',
  info: {
    title: 'Casebook',
    version: '1',
    description: 'Clusters send their events; Casebook recognises the known problem behind each one and keeps its incidents.',
  },
  security: [{ token: [] }],
  paths: {
    '/v1/clusters/{cluster}/events': {
      post: takeEvents('sendEvents', 'Take in events of a cluster'),
      put: takeEvents('putEvents', 'Take in events of a cluster, for senders that only know PUT'),
      get: takeEvents('getEvents', 'Take in events of a cluster, for senders that put them into a GET; without a body it is refused'),
      head: {
        operationId: 'askForEvents',
        summary: 'Ask whether events would be taken',
        parameters: [cluster],
        responses: { 200: answer('They would.'), ...errors(401, 403, 404) },
      },
      options: {
        operationId: 'eventOptions',
        summary: 'Ask whether the address is alive, and for the handshake of CloudEvents',
        parameters: [cluster],
        responses: {
          200: answer('The answer to WebHook-Request-Origin: that origin in WebHook-Allowed-Origin, and * in WebHook-Allowed-Rate.'),
          204: answer('It is.'),
        },
        ...open,
      },
    },
    '/v1/clusters/{cluster}/otlp/v1/logs': {
      post: {
        operationId: 'sendOtlpLogs',
        summary: 'Take in logs of OpenTelemetry, over OTLP/HTTP',
        description:
          'An ExportLogsServiceRequest as protobuf or JSON, gzip allowed; the answer comes in the same encoding. Records of the k8s_events and k8sobjects receivers become the Events that they stand for. Refusals are a google.rpc.Status; what may succeed later is a 503.',
        parameters: [cluster],
        requestBody: { required: true, content: { 'application/x-protobuf': { schema: {} }, 'application/json': { schema: {} } } },
        responses: {
          200: answer('Empty, or partialSuccess with rejectedLogRecords and errorMessage.'),
          ...errors(400, 401, 403, 404, 413, 415, 503),
        },
      },
    },
    '/v1/diagnose': {
      post: {
        operationId: 'diagnose',
        summary: 'Tell what events show, without storing anything',
        parameters: [inQuery('provider', 'Provider of the cluster, where a text can mean different things.'), locale, format],
        requestBody: events,
        responses: { 200: answer('The problems that each event shows, best first.', ref('Diagnosed')), ...errors(400, 401, 413, 415) },
      },
    },
    '/v1/problems': {
      get: {
        operationId: 'listProblems',
        summary: 'Problems of the knowledge base, best fit first, else by id',
        parameters: [
          inQuery('search', 'Words of either language, a code, an id, an annotation, a command or an error text, at most 200 characters.'),
          provider,
          inQuery('area', 'Area such as ingress.'),
          locale,
          inQuery('first', 'Most rows to return.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
          inQuery('after', 'Cursor after which to go on.'),
        ],
        responses: { 200: answer('A page of problems.', ref('ProblemPage')), ...errors(400, 401, 403) },
      },
    },
    '/v1/problems/{id}': { get: oneProblem('problemByEncodedId', [inPath('id', 'Id with its slashes percent-encoded.')]) },
    '/v1/problems/{provider}/{area}/{name}': {
      get: oneProblem('problem', idInPath),
    },
    '/v1/guides': {
      get: {
        operationId: 'listGuides',
        summary: 'Troubleshooting guides, best fit first, else by id',
        parameters: [
          inQuery('search', 'Words of either language, a command or an error text, at most 200 characters.'),
          locale,
          inQuery('first', 'Most rows to return.', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
          inQuery('after', 'Cursor after which to go on.'),
        ],
        responses: { 200: answer('A page of guides.', ref('GuidePage')), ...errors(400, 401, 403) },
      },
    },
    '/v1/guides/{name}': {
      get: {
        operationId: 'guide',
        summary: 'One guide: checks, what their outcomes mean, and where to go next',
        parameters: [inPath('name', 'Second part of the id.'), locale],
        responses: { 200: answer('The guide.', ref('Guide')), ...errors(400, 401, 403, 404) },
      },
    },
    '/v1/exit-codes/{code}': {
      get: {
        operationId: 'exitCode',
        summary: 'What an exit code of a container means',
        parameters: [inPath('code', 'Whole number; one outside 0-255 is folded.'), locale],
        responses: { 200: answer('Its meaning.', ref('ExitCode')), ...errors(400, 401, 403, 404) },
      },
    },
    '/v1/codes/{code}': {
      get: {
        operationId: 'errorCode',
        summary: 'What an error code means, for each kind of object that it can come from',
        parameters: [inPath('code', 'Code such as E4011.'), inQuery('kind', 'Kind of object that showed it.'), provider, locale],
        responses: { 200: answer('The problems that it can mean; none when nobody knows it.', ref('Code')), ...errors(400, 401, 403) },
      },
    },
    ...incidentPaths(errors),
    '/v1/clusters': {
      get: {
        operationId: 'listClusters',
        summary: 'All clusters, by name, and how they are doing',
        parameters: [locale],
        responses: { 200: answer('The clusters.', ref('Clusters')), ...errors(400, 401, 403, 503) },
      },
      post: {
        operationId: 'registerCluster',
        summary: 'Register a cluster; the answer holds its token, this once',
        requestBody: { required: true, ...json(ref('NewCluster')) },
        responses: { 201: answer('The cluster and its token.', ref('RegisteredCluster')), ...errors(400, 401, 403, 409, 503) },
      },
    },
    '/v1/clusters/{cluster}': {
      get: {
        operationId: 'cluster',
        summary: 'One cluster, how it is doing, and when nothing was heard of it',
        parameters: [cluster, locale],
        responses: { 200: answer('The cluster.', ref('ClusterWithGaps')), ...errors(400, 401, 403, 404, 503) },
      },
    },
    '/v1/clusters/{cluster}/rejected': {
      get: {
        operationId: 'rejected',
        summary: 'Input of a cluster that was refused, latest first',
        description:
          'Shows why the events of a sender do not arrive. Kept for CASEBOOK_REJECTED_DAYS, at most 1,000 rows of a cluster; alike ones of one hour are one row. Written within a second or two.',
        parameters: [cluster, ...rejectedPage],
        responses: { 200: answer('A page of refused input.', ref('RejectedPage')), ...errors(400, 401, 403, 404, 503, 504) },
      },
    },
    '/v1/rejected': {
      get: {
        operationId: 'rejectedOfUnknown',
        summary: 'Input that was sent to names that no cluster has, latest first',
        parameters: rejectedPage,
        responses: { 200: answer('A page of refused input.', ref('RejectedPage')), ...errors(400, 401, 403, 503, 504) },
      },
    },
    '/graphql': graphqlPath(errors(400, 401, 403), errors(400, 401, 403, 413)),
    '/': { get: { operationId: 'root', summary: 'Leads to /docs', responses: { 302: answer('Look there.') }, ...open } },
    '/healthz': {
      get: { operationId: 'healthz', summary: 'The process is alive', responses: { 200: answer('It is.', ref('Health')) }, ...open },
    },
    '/readyz': {
      get: {
        operationId: 'readyz',
        summary: 'The service can do its work',
        responses: { 200: answer('It can.', ref('Health')), 503: answer('It cannot; the answer says what is missing.', ref('NotReady')) },
        ...open,
      },
    },
    '/metrics': {
      get: {
        operationId: 'metrics',
        summary: 'Metrics in the Prometheus text format',
        description: 'They are about all clusters, and so for tokens that may see everything.',
        responses: { 200: answer('The metrics.'), ...errors(401, 403) },
      },
    },
    '/openapi.json': { get: { operationId: 'openapi', summary: 'This contract', responses: { 200: answer('OpenAPI 3.1.') }, ...open } },
    '/problems': {
      get: {
        operationId: 'catalogue',
        summary: 'The knowledge base as a page, by provider and area',
        parameters: [inQuery('search', 'Shows what fits instead, best first; at most 200 characters.'), locale],
        responses: { 200: answer('A page.'), ...errors(400, 401, 403, 503) },
        ...catalogue,
      },
    },
    '/problems/{provider}/{area}/{name}': {
      get: {
        operationId: 'problemPage',
        summary: 'One problem as a page',
        parameters: [...idInPath, locale],
        responses: { 200: answer('A page.'), ...errors(400, 401, 403, 404, 503) },
        ...catalogue,
      },
    },
    '/guides/{name}': {
      get: {
        operationId: 'guidePage',
        summary: 'One guide as a page',
        parameters: [inPath('name', 'Second part of the id.'), locale],
        responses: { 200: answer('A page.'), ...errors(400, 401, 403, 404, 503) },
        ...catalogue,
      },
    },
    '/docs': { get: { operationId: 'docs', summary: 'This contract as a page', responses: { 200: answer('A page.') }, ...open } },
  },
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The admin token; an API token or a JSON Web Token of the configured issuer, which read what lies in their scope and, as admin, do more; or the token of a cluster, which may send events of its own cluster and diagnose.',
      },
    },
    schemas,
  },
} as const;

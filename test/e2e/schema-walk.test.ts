/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the schema gives them */
import { randomUUID } from 'node:crypto';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEED } from '../../src/api/graphql/needs.js';
import type { Need } from '../../src/api/graphql/needs.js';
import { openApi } from '../../src/api/rest/openapi.js';
import { RefusedInput } from '../../src/ingest/refused-input.service.js';
import { ROLES } from '../../src/platform/access.js';
import type { Role } from '../../src/platform/access.js';
import { IncidentChangeRepository } from '../../src/store/incident-change.repository.js';
import { coreEvent, crash, e4011 } from '../support/core-event.js';
import { openEvents, subscribe } from '../support/live-client.js';
import type { Call, Selecting, Values } from '../support/schema-walk.js';
import { callsOf, NEUTRAL, UnfilledError } from '../support/schema-walk.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

/**
 * Every field of a root type: `data` when it tells of clusters, and so has to be kept within a scope and has to show an admin what was
 * seeded; `knowledge` when it tells what is the same for everybody; `change` for mutations, of which none may succeed on what a
 * stranger must not see, `each` where it says so for each id; `whole` for what is of all clusters
 * together, and so only for those who may see everything.
 */
const FIELDS: Readonly<Record<string, 'data' | 'knowledge' | 'change' | 'each' | 'whole' | 'cursor'>> = {
  'Query._entities': 'data',
  'Query._service': 'knowledge',
  'Query.annotation': 'knowledge',
  'Query.annotations': 'knowledge',
  'Query.apiTokens': 'data',
  'Query.auditLog': 'data',
  'Query.cluster': 'data',
  'Query.clusters': 'data',
  'Query.deliveries': 'whole',
  'Query.diagnose': 'knowledge',
  'Query.errorCode': 'knowledge',
  'Query.errorCodeHistory': 'data',
  'Query.exitCode': 'knowledge',
  'Query.guide': 'knowledge',
  'Query.guides': 'knowledge',
  'Query.incident': 'data',
  'Query.incidentChangeCursor': 'cursor',
  'Query.incidents': 'data',
  'Query.loadBalancerRules': 'knowledge',
  'Query.maintenanceWindows': 'data',
  'Query.namespaceHistory': 'data',
  'Query.nodeConditions': 'knowledge',
  'Query.nodeTaints': 'knowledge',
  'Query.podState': 'knowledge',
  'Query.podStates': 'knowledge',
  'Query.problem': 'knowledge',
  'Query.problemHistory': 'data',
  'Query.problems': 'knowledge',
  'Query.rejected': 'data',
  'Query.replay': 'data',
  'Query.silences': 'data',
  'Query.spreading': 'data',
  'Query.subjectHistory': 'data',
  'Query.trend': 'data',
  'Query.undiagnosed': 'data',
  'Query.webhooks': 'whole',
  'Mutation.acknowledgeIncident': 'change',
  'Mutation.acknowledgeIncidents': 'each',
  'Mutation.assignIncident': 'change',
  'Mutation.commentOnIncident': 'change',
  'Mutation.createApiToken': 'change',
  'Mutation.createMaintenanceWindow': 'change',
  'Mutation.createSilence': 'change',
  'Mutation.createWebhook': 'change',
  'Mutation.deleteWebhook': 'change',
  'Mutation.endMaintenanceWindow': 'change',
  'Mutation.endSilence': 'change',
  'Mutation.registerCluster': 'change',
  'Mutation.removeCluster': 'change',
  'Mutation.reopenIncident': 'change',
  'Mutation.requireSignatures': 'change',
  'Mutation.resendDeliveries': 'change',
  'Mutation.resendDelivery': 'change',
  'Mutation.resolveIncident': 'change',
  'Mutation.resolveIncidents': 'each',
  'Mutation.resumeCluster': 'change',
  'Mutation.revokeApiToken': 'change',
  'Mutation.revokeClusterToken': 'change',
  'Mutation.revokeSigningSecret': 'change',
  'Mutation.rotateClusterToken': 'change',
  'Mutation.rotateSigningSecret': 'change',
  'Mutation.setClusterSilence': 'change',
  'Mutation.suspendCluster': 'change',
  'Mutation.testWebhook': 'change',
  'Mutation.unacknowledgeIncident': 'change',
  'Mutation.unwatchCluster': 'change',
  'Mutation.updateCluster': 'change',
  'Mutation.updateMaintenanceWindow': 'change',
  'Mutation.updateSilence': 'change',
  'Mutation.updateWebhook': 'change',
  'Mutation.watchCluster': 'change',
  'Subscription.incidentChanged': 'data',
};

/** What changes by itself, or is of a whole cluster for whoever may see any of it. */
const WITHOUT = new Set([
  'Cluster.health',
  'Cluster.lastHeardAt',
  'Cluster.watch',
  'ApiToken.lastUsedAt',
  'Replay.seconds',
  'PageInfo.startCursor',
  'PageInfo.endCursor',
]);
/** Types of the knowledge base. */
const CLOSED = new Set([
  'Problem',
  'Guide',
  'Annotation',
  'ExitCode',
  'PodState',
  'NodeCondition',
  'NodeTaint',
  'LoadBalancerRule',
  'Reference',
]);

/** What a call is aimed at. */
interface Target {
  cluster: string;
  namespace: string;
  name: string;
  region: string;
  incident: string;
  apiToken: string;
  clusterToken: string;
  secret: string;
  silence: string;
  window: string;
  /** Cursors of lists of what is aimed at, by field; none for what does not exist. */
  cursors: Record<string, string>;
}

const DAY = 86_400_000;
const AT = (days: number): string => new Date(Math.floor(Date.now() / DAY + days) * DAY).toISOString();

/** A problem that the event shows that shows none. */
const STRANGE = `title: { en: Strange, zh: 怪 }
summary: { en: It is strange., zh: 很怪。 }
severity: error
consequence: { en: It stays so., zh: 一直如此。 }
clears: { by: object-gone }
recognise: [{ message: 'Nobody knows what' }]
causes: [{ text: { en: Rust., zh: 锈。 }, checks: [{ look: { en: Look., zh: 看。 } }], remedies: [{ en: Oil it., zh: 上油。 }] }]
`;

/** A value for every argument; a new argument needs one here, aimed at what a stranger must not see. */
const VALUES = (target: Target, field: string): Values => ({
  after: target.cursors[field] ?? null,
  'Mutation.setClusterSilence.after': '5m',
  area: 'ingress',
  assignee: 'somebody',
  areas: ['ingress', 'container'],
  allowInsecure: true,
  certificateAuthority: null,
  cluster: target.cluster,
  clusters: [target.cluster],
  'Query.exitCode.code': 137,
  code: 'E4011',
  codes: ['E4011'],
  confirm: target.cluster,
  context: null,
  cron: '0 3 * * SUN',
  durationMinutes: 60,
  endsAt: AT(2),
  events: [e4011({ name: target.name, namespace: target.namespace })],
  eventsPerSecond: 5,
  expectedVersion: 1,
  expiresAt: AT(5),
  first: 50,
  flapSeconds: 60,
  from: AT(-2),
  graceSeconds: 60,
  holdSeconds: 0,
  'Query.incident.id': target.incident,
  'Mutation.acknowledgeIncident.id': target.incident,
  'Mutation.assignIncident.id': target.incident,
  'Mutation.commentOnIncident.id': target.incident,
  'Mutation.reopenIncident.id': target.incident,
  'Mutation.resolveIncident.id': target.incident,
  'Mutation.unacknowledgeIncident.id': target.incident,
  ids: [target.incident],
  'Mutation.deleteWebhook.id': target.incident,
  'Mutation.resendDelivery.id': target.incident,
  'Mutation.testWebhook.id': target.incident,
  'Mutation.updateWebhook.id': target.incident,
  'Mutation.endMaintenanceWindow.id': target.window,
  'Mutation.endSilence.id': target.silence,
  'Mutation.updateMaintenanceWindow.id': target.window,
  'Mutation.updateSilence.id': target.silence,
  'Mutation.revokeApiToken.id': target.apiToken,
  'Mutation.revokeClusterToken.id': target.clusterToken,
  'Mutation.revokeSigningSecret.id': target.secret,
  id: 'tke/ingress/E4011',
  'Query.annotation.key': 'kubernetes.io/ingress.class',
  kind: 'Ingress',
  kinds: ['Ingress', 'Deployment', 'Node'],
  knowledge: [
    { path: 'kubernetes/widget/_area.yaml', text: 'title: { en: Widgets, zh: 部件 }\nobjectKinds: [Pod]\nclears: { by: object-gone }\n' },
    { path: 'kubernetes/widget/strange.yaml', text: STRANGE },
  ],
  kubeconfig: null,
  labels: { team: 'x' },
  maxBodyBytes: 4096,
  minClusters: 2,
  name: target.cluster,
  'Query.podState.name': 'CrashLoopBackOff',
  'ObjectRefInput.name': target.name,
  'CreateWebhookInput.name': 'a webhook',
  'UpdateWebhookInput.name': 'a webhook',
  'WebhookHeaderInput.name': 'X-Test',
  'CreateApiTokenInput.name': 'a token',
  names: [target.name],
  namespace: target.namespace,
  namespaces: [target.namespace],
  'CreateApiTokenInput.namespaces': null,
  problems: ['tke/ingress/E4011', 'kubernetes/container/crash-loop'],
  reason: 'because',
  region: target.region,
  representations: [
    { __typename: 'Cluster', name: target.cluster },
    { __typename: 'Incident', id: target.incident },
    { __typename: 'Problem', id: 'tke/ingress/E4011' },
  ],
  regions: [target.region],
  search: target.name,
  secret: null,
  seenAfter: AT(-3),
  seenBefore: AT(3),
  startsAt: AT(1),
  server: 'https://127.0.0.1:1',
  stormCount: 10,
  stormSeconds: 60,
  template: null,
  text: 'a comment',
  timeZone: 'Europe/Berlin',
  to: AT(1),
  token: 'x'.repeat(20),
  url: 'https://hooks.example/x',
  value: 'x',
  webhook: target.incident,
  withinHours: 48,
});

const UNKNOWN: Target = {
  cluster: 'nosuch-cluster',
  namespace: 'nosuch-space',
  name: 'nosuch-web',
  region: 'nosuch-region',
  incident: randomUUID(),
  apiToken: '999999',
  clusterToken: '999998',
  secret: '999997',
  silence: randomUUID(),
  window: randomUUID(),
  cursors: {},
};

/** Who tries, on what, and what they must not come to see. */
interface Stranger {
  who: string;
  input: { role: string; clusters?: string[]; namespaces?: string[] };
  target: () => Target;
  unknown: Target;
  secrets: RegExp;
}

/** In another cluster, and in another namespace of the strangers' own cluster. */
let far: Target;
let near: Target;
const NEAR_UNKNOWN: Target = { ...UNKNOWN, cluster: 'mine' };
const STRANGERS: readonly Stranger[] = [
  {
    who: 'an operator of another cluster',
    input: { role: 'OPERATOR', clusters: ['mine'] },
    target: () => far,
    unknown: UNKNOWN,
    secrets: /zqfar/,
  },
  {
    who: 'an admin of another cluster',
    input: { role: 'ADMIN', clusters: ['mine'] },
    target: () => far,
    unknown: UNKNOWN,
    secrets: /zqfar/,
  },
  {
    who: 'an operator of another namespace',
    input: { role: 'OPERATOR', clusters: ['mine'], namespaces: ['mine-space'] },
    target: () => near,
    unknown: NEAR_UNKNOWN,
    secrets: /zqfar|zqnear/,
  },
  {
    who: 'a viewer of another namespace of all clusters',
    input: { role: 'VIEWER', namespaces: ['mine-space'] },
    target: () => near,
    unknown: NEAR_UNKNOWN,
    secrets: /zqfardata|zqnear/,
  },
];

let casebook: TestCasebook;
let fields: [path: string, root: string, name: string][];
const tokens = new Map<string, string>();
/** What strangers were answered before there was anything that they must not see. */
const before = new Map<string, string>();
let cursorOfOld: string;
/** What is missing in VALUES. */
const unfilled = new Set<string>();

beforeAll(async () => {
  casebook = await startTestCasebook(
    { CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_SECRET_KEY: 'ab'.repeat(32) },
    'knowledge',
  );
  const { schema } = casebook.app.get(GraphQLSchemaHost);
  fields = ['Query', 'Mutation', 'Subscription'].flatMap((root) => {
    const type = schema.getType(root);
    return isObjectType(type) ? Object.keys(type.getFields()).map((name): [string, string, string] => [`${root}.${name}`, root, name]) : [];
  });
  await admin(`mutation { registerCluster(input: { name: "mine", provider: TKE }) { token } }`);
  await admin(
    `mutation { registerCluster(input: { name: "zqfar-cluster", provider: TKE, region: "zqfar-region", labels: { team: "zqfar-team" } }) { token } }`,
  );
  for (const { who, input } of STRANGERS) {
    const { createApiToken } = await admin('mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }', {
      input: { name: who, ...input },
    });
    tokens.set(who, createApiToken.token);
  }
  cursorOfOld = (await admin('{ incidentChangeCursor }')).incidentChangeCursor;
  await seed('mine', 'mine-space', 'mine-web', 1);
  await remember(STRANGERS.slice(2));
  await seed('mine', 'zqnear-space', 'zqnear-web', 7919);
  await casebook.post('mine', nodeTrouble('zqnear-node'));
  await silence({ clusters: ['mine'], namespaces: ['zqnear-space'] }, 'zqnear');
  await remember(STRANGERS.slice(0, 2));
  await seed('zqfar-cluster', 'zqfardata-space', 'zqfardata-web', 7907);
  await casebook.post('zqfar-cluster', nodeTrouble('zqfardata-node'));
  await silence({ clusters: ['zqfar-cluster'], namespaces: ['zqfardata-space'] }, 'zqfardata');
  await casebook.post('zqfar-cluster', [{ kind: 'Pod', metadata: { name: 'zqfardata-broken' } }]);
  await casebook.app.get(RefusedInput).flush();
  await admin('mutation { rotateSigningSecret(name: "zqfar-cluster", graceSeconds: 60) { secret } }');
  await admin('mutation { suspendCluster(name: "zqfar-cluster", reason: "zqfar-reason") { name } }');
  await admin('mutation { createApiToken(input: { name: "zqfar-token", role: VIEWER, clusters: ["zqfar-cluster"] }) { token } }');
  await admin('mutation { createApiToken(input: { name: "zqfar-all-token", role: VIEWER }) { token } }');
  await casebook.app.get(IncidentChangeRepository).tellGrowth();
  far = await aim('zqfar-cluster', 'zqfardata-space', 'zqfardata-web', 'zqfar-region');
  near = await aim('mine', 'zqnear-space', 'zqnear-web', UNKNOWN.region);
}, 240_000);
afterAll(() => casebook?.stop());

async function admin(query: string, variables: object = {}): Promise<any> {
  const { data, errors } = await casebook.graphql(query, variables);
  if (errors) throw new Error(`${query} was answered ${JSON.stringify(errors)}`);
  return data;
}

async function silence(what: object, mark: string): Promise<void> {
  await admin('mutation ($input: SilenceInput!) { createSilence(input: $input) { id } }', {
    input: { ...what, reason: `${mark}-silence`, endsAt: AT(3) },
  });
  await admin('mutation ($input: MaintenanceWindowInput!) { createMaintenanceWindow(input: $input) { id } }', {
    input: { ...what, reason: `${mark}-window`, startsAt: AT(2), endsAt: AT(3) },
  });
}

const nodeTrouble = (name: string): object =>
  coreEvent({
    kind: 'Node',
    namespace: '',
    name,
    reason: 'NodeNotReady',
    message: `Node ${name} status is now: NodeNotReady`,
    component: 'node-controller',
  });

/** An open incident of each of two problems and an event that shows none, with a count that shows in every sum. */
async function seed(cluster: string, namespace: string, name: string, count: number): Promise<void> {
  const events = [
    e4011({ name, namespace, count }),
    crash({ name: `${name}-6d4cf56db6-x2x5p`, namespace, message: `Back-off restarting failed container app in pod ${name}`, count }),
  ];
  const strange = coreEvent({ name, namespace, reason: 'Strange', message: `Nobody knows what ${name} has`, count });
  const { body } = await casebook.post(cluster, [...events, strange]);
  expect(body).toMatchObject({ accepted: 3 });
}

async function aim(cluster: string, namespace: string, name: string, region: string): Promise<Target> {
  const {
    incidents,
    cluster: found,
    apiTokens,
    silences,
    maintenanceWindows,
  } = await admin(
    `query ($cluster: String!, $space: [String!]) {
      incidents(filter: { clusters: [$cluster], namespaces: $space, kinds: ["Ingress"] }) { nodes { id } }
      cluster(name: $cluster) { tokens { id } signingSecrets { id } }
      apiTokens { nodes { id name } }
      silences { nodes { id reason } }
      maintenanceWindows { nodes { id reason } }
    }`,
    { cluster, space: [namespace] },
  );
  const filter = { clusters: [cluster], namespaces: [namespace] };
  const cursors = await admin(
    `query ($cluster: String!) { incidents(first: 1) { pageInfo { endCursor } } rejected(cluster: $cluster, first: 1) { pageInfo { endCursor } }
      apiTokens(first: 1) { pageInfo { endCursor } } auditLog(first: 1) { pageInfo { endCursor } } }`,
    { cluster, ...filter },
  );
  return {
    cluster,
    namespace,
    name,
    region,
    incident: incidents.nodes[0].id,
    apiToken: apiTokens.nodes.find((token: { name: string }) => token.name === 'zqfar-token').id,
    clusterToken: found.tokens[0].id,
    secret: found.signingSecrets[0]?.id ?? '999997',
    silence: silences.nodes.find(({ reason }: { reason: string }) => reason.startsWith(namespace.slice(0, 6))).id,
    window: maintenanceWindows.nodes.find(({ reason }: { reason: string }) => reason.startsWith(namespace.slice(0, 6))).id,
    cursors: {
      ...Object.fromEntries(Object.entries(cursors).map(([name, list]) => [`Query.${name}`, (list as any).pageInfo.endCursor])),
      'Subscription.incidentChanged': cursorOfOld,
    },
  };
}

function roleOf(field: GraphQLField<unknown, unknown>): Role {
  return (field.extensions[NEED] as Need | undefined)?.role ?? 'viewer';
}

function calls([path, root, name]: [string, string, string], target: Target, role: string, privileged = false): Call[] {
  const allowed = (field: GraphQLField<unknown, unknown>): boolean =>
    ROLES.indexOf(roleOf(field)) <= ROLES.indexOf(role.toLowerCase() as Role);
  const selecting: Selecting = { allows: privileged ? () => true : allowed, without: WITHOUT, closed: CLOSED };
  try {
    const all = callsOf(casebook.app.get(GraphQLSchemaHost).schema, root, name, VALUES(target, path), selecting);
    // Takes a while, and is done one at a time.
    return path === 'Query.replay' ? all.slice(0, 1) : all;
  } catch (error) {
    if (!(error instanceof UnfilledError)) throw error;
    unfilled.add(error.message);
    return [];
  }
}

const post = (token: string | undefined, { query, variables }: Call): Promise<Answer> =>
  casebook.send('POST', '/graphql', { body: { query, variables }, headers: { 'content-type': 'application/json' }, token });

/** An answer without what the caller sent, and as it would be for a target that does not exist. */
function plain(answer: unknown, target: Target): string {
  const sent = Object.entries(target).filter(([name]) => name !== 'cursors') as [string, string][];
  const text = JSON.stringify(answer, (key, value: unknown) => (key === 'requestId' || key === 'token' ? undefined : value));
  return sent
    .sort(([, a], [, b]) => b.length - a.length)
    .reduce(
      (all, [name, value]) => (/^\d+$/.test(value) ? all : all.replaceAll(value, `<${name}>`)),
      text.replaceAll(/\bid \d+/g, 'id <number>'),
    );
}

/** Asks as strangers for what is not there yet. */
async function remember(strangers: readonly Stranger[]): Promise<void> {
  for (const { who, unknown, input } of strangers) {
    for (const field of fields.filter(([, root]) => root === 'Query')) {
      await Promise.all(
        calls(field, unknown, input.role).map(async (call) =>
          before.set(`${who} ${call.label}`, plain((await post(tokens.get(who), call)).body, unknown)),
        ),
      );
    }
  }
}

describe('the schema', () => {
  it('has no field that this walk does not know', () => {
    const unknown = fields.map(([path]) => path).filter((path) => !Object.hasOwn(FIELDS, path));
    expect(unknown, 'say in FIELDS of test/e2e/schema-walk.test.ts what these are, and in VALUES what their arguments are to be').toEqual(
      [],
    );
    for (const field of fields) calls(field, UNKNOWN, 'ADMIN', true);
    expect([...unfilled]).toEqual([]);
    expect(Object.keys(FIELDS).filter((path) => !fields.some(([known]) => known === path))).toEqual([]);
  });

  it('shows an admin what was seeded, by every field that tells of clusters', async () => {
    const blind = [];
    for (const field of fields.filter(([path, root]) => FIELDS[path] === 'data' && root === 'Query')) {
      const answers = await Promise.all(calls(field, far, 'ADMIN').map(async (call) => (await post(ADMIN_TOKEN, call)).body));
      expect(
        answers.flatMap(({ errors }) => errors ?? []).filter(({ extensions }) => !['BAD_INPUT', 'BAD_CURSOR'].includes(extensions.code)),
      ).toEqual([]);
      if (!/zqfar|7907/.test(JSON.stringify(answers))) blind.push(field[0]);
    }
    expect(blind).toEqual([]);
  });
});

describe.each(STRANGERS)('$who', ({ who, input, target, unknown, secrets }) => {
  it('sees of other data as much as of data that does not exist', { timeout: 180_000 }, async () => {
    for (const field of fields.filter(([, root]) => root === 'Query')) {
      const all = calls(field, target(), input.role);
      const answers = await Promise.all(all.map((call) => post(tokens.get(who), call)));
      for (const [i, call] of all.entries()) {
        const seen = plain(answers[i]!.body, target());
        expect(seen, call.label).not.toMatch(secrets);
        // A place in a list is one among the rows that they see, wherever it was taken.
        if (call.filled.includes('after') || FIELDS[field[0]] === 'cursor' || field[0] === 'Query.auditLog') continue;
        const [was, is] = [before.get(`${who} ${call.label}`)!, seen].map((text) => (input.clusters ? text : withoutState(text)));
        expect(is, call.label).toBe(was);
      }
      // With the fields that the role does not reach.
      for (const call of calls(field, target(), input.role, true).filter(({ query }, i) => query !== all[i]!.query)) {
        expect(plain((await post(tokens.get(who), call)).body, target()), call.label).not.toMatch(secrets);
      }
    }
  });

  it('changes nothing of other data, and learns nothing by trying', { timeout: 180_000 }, async () => {
    const stored = await fingerprints();
    for (const field of fields.filter(([, root]) => root === 'Mutation')) {
      const [aimed, blind] = [calls(field, target(), input.role), calls(field, unknown, input.role)];
      for (const [i, call] of aimed.entries()) {
        const [{ body }, other] = [await post(tokens.get(who), call), await post(tokens.get(who), blind[i]!)];
        expect(plain(body, target()), call.label).toBe(plain(other.body, unknown));
        expect(plain(body, target()), call.label).not.toMatch(secrets);
        if (FIELDS[field[0]] === 'change') expect(body.errors, call.label).toBeDefined();
      }
    }
    expect(await fingerprints()).toEqual(stored);
  });

  it('is told of no other changes', async () => {
    const headers = { authorization: `Bearer ${tokens.get(who)}` };
    for (const call of calls(['Subscription.incidentChanged', 'Subscription', 'incidentChanged'], target(), input.role)) {
      const variables = { ...call.variables, after: cursorOfOld };
      const query = call.query.includes('$after')
        ? call.query
        : call.query
            .replace(/\((.*?)\) \{|\{/, (_, declared = '') => `(${declared ? `${declared}, ` : ''}$after: String) {`)
            .replace(/incidentChanged(\((.*?)\))?/, (_all, _args, args) => `incidentChanged(${args ? `${args}, ` : ''}after: $after)`);
      const subscription = await subscribe(casebook.url, query, { variables, headers });
      if (!('filter' in call.variables)) await subscription.next(2);
      expect(plain(subscription.all, target()), call.label).not.toMatch(secrets);
      await subscription.close();
    }
    const events = await openEvents(`${casebook.url}/v1/incidents/changes?after=${cursorOfOld}`, headers);
    await events.changes.next(2);
    expect(JSON.stringify([events.marks.all, events.changes.all])).not.toMatch(secrets);
    events.close();
  });

  it.each(
    Object.entries(openApi.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { parameters?: { name: string; in: string; required?: boolean }[] }>).map(
        ([method, operation]) => ({ method, path, operation }),
      ),
    ),
  )('sees nothing by $method $path', async ({ method, path, operation }) => {
    if (path === '/v1/incidents/changes' || path === '/graphql') return;
    const send = async (aim: Target): Promise<string> => {
      const values: Values = {
        ...VALUES(aim, ''),
        locale: 'en',
        bucket: 'day',
        format: '',
        groupBy: 'cluster,namespace',
        provider: 'tke',
        query: '{clusters{name}}',
        id: 'tke/ingress/E4011',
        name: aim.name,
        incident: aim.incident,
      };
      const parameters = operation.parameters ?? [];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? 'x')));
      const answers = [];
      for (const optional of [
        [],
        ...parameters.filter((each) => each.in === 'query' && !NEUTRAL.has(each.name)).map((each) => [each.name]),
      ]) {
        const query = optional.filter((name) => values[name] !== undefined && values[name] !== null && values[name] !== '');
        const address = `${filled}?${new URLSearchParams(query.map((name) => [name, String(values[name])])).toString()}`;
        const body =
          method === 'post' || method === 'put'
            ? path === '/v1/clusters'
              ? { name: aim.cluster }
              : Object.hasOwn(SAID, path)
                ? SAID[path]
                : [crash({ uid: 'walk', at: AT(-1) })]
            : undefined;
        const { status, body: answer } = await casebook.send(method.toUpperCase(), address, { body, token: tokens.get(who) });
        answers.push([optional, status, path === '/metrics' && status === 200 ? '' : withoutHealth(answer)]);
      }
      return plain(answers, aim);
    };
    const own = path.startsWith('/v1/clusters/{cluster}') && target().cluster === 'mine';
    const seen = await send(target());
    expect(seen).not.toMatch(secrets);
    if (!own) expect(seen).toBe(await send(unknown));
  });
});

/** What is said of an incident over REST, where nothing is not enough. */
const SAID: Readonly<Record<string, object>> = {
  '/v1/incidents/{incident}/acknowledge': {},
  '/v1/incidents/{incident}/unacknowledge': {},
  '/v1/incidents/{incident}/assign': { assignee: 'walker' },
  '/v1/incidents/{incident}/comments': { text: 'walked by' },
  '/v1/incidents/{incident}/resolve': { reason: 'walked by' },
  '/v1/incidents/{incident}/reopen': {},
};

/** Whether a cluster is suspended is for all to see who may see any of it. */
const withoutState = (text: string): string => text.replaceAll(/"(suspendedAt|suspendedReason|state)":(null|"[^"]*"),?/g, '');

/** Health is of a whole cluster, and changes by itself. */
function withoutHealth(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (['health', 'gaps', 'lastHeardAt'].includes(key) ? undefined : value)));
}

/** What is stored of the clusters, and must not change by what strangers try. */
async function fingerprints(): Promise<unknown> {
  const tables = ['silencing', 'cluster_token', 'signing_secret', 'incident', 'episode', 'affected', 'event', 'watch_lease'];
  const { rows } = await casebook.database.pool.query(
    [
      `SELECT 'cluster' AS table, md5(string_agg(concat_ws('|', name, provider, region, labels, suspended_at, suspended_reason, removing_at, signatures_required, events_per_second, max_body_bytes, silence_after_ms), ',' ORDER BY id)) AS print FROM cluster`,
      `SELECT 'api_token', md5(string_agg(concat_ws('|', id, name, role, clusters, namespaces), ',' ORDER BY id)) FROM api_token`,
      ...tables.map(
        (table) => `SELECT '${table}', md5(string_agg((to_jsonb(t) - 'last_used_at')::text, ',' ORDER BY t::text)) FROM ${table} t`,
      ),
    ].join(' UNION ALL '),
  );
  return rows;
}

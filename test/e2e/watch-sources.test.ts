import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { clusterEvent, putEvent, putPod } from '../support/api-server-under-test.js';
import { FakeApiServer } from '../support/fake-api-server.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

interface Watch {
  mode: string;
  state: string;
  holder: string | null;
  server: string | null;
  positionAgeSeconds: number | null;
  lastError: { code: string; message: string } | null;
  unfollowed: { kind: string }[];
}

const WATCH = 'watch { mode state holder server positionAgeSeconds lastError { code message } unfollowed { kind } }';
const PUT = `mutation ($input: WatchClusterInput!) { watchCluster(input: $input) { name ${WATCH} } }`;

let folder: string;
let file: string;
let good: FakeApiServer;
let other: FakeApiServer;
let casebook: TestCasebook;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-watch-'));
  file = join(folder, 'config');
  [good, other] = await Promise.all([FakeApiServer.start(), FakeApiServer.start()]);
  await writeFile(file, kubeconfig({ good }));
  casebook = await startTestCasebook({
    LOG_LEVEL: 'info',
    CASEBOOK_SECRET_KEY: randomBytes(32).toString('hex'),
    CASEBOOK_WATCH_KUBECONFIG: `${join(folder, 'nothing')}:${file}`,
    CASEBOOK_WATCH_CONTEXTS: 'good=first,late',
    CASEBOOK_WATCH_REGISTER: 'tke',
  });
});
afterAll(async () => {
  await casebook.stop();
  await Promise.all([good.stop(), other.stop()]);
  await rm(folder, { recursive: true });
});

/** A kubeconfig with a context for each server. */
function kubeconfig(servers: Record<string, FakeApiServer>): string {
  const entries = Object.entries(servers);
  return JSON.stringify({
    'current-context': entries[0]![0],
    clusters: entries.map(([name, { url, ca }]) => ({
      name,
      cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') },
    })),
    users: entries.map(([name, { token }]) => ({ name, user: { token } })),
    contexts: entries.map(([name]) => ({ name, context: { cluster: name, user: name } })),
  });
}

async function watchOf(name: string): Promise<Watch | null> {
  const { data } = await casebook.graphql(`query ($name: String!) { cluster(name: $name) { ${WATCH} } }`, { name });
  return (data['cluster'] as { watch: Watch | null } | null)?.watch ?? null;
}

/** Waits until the watch of a cluster is in a state, and returns it. */
const watchIn = (name: string, state: string): Promise<Watch> =>
  waitUntil(
    () => watchOf(name),
    (watch) => watch?.state === state,
    15_000,
  ) as Promise<Watch>;

async function watchCluster(cluster: string, way: object): Promise<void> {
  await casebook.register(cluster, 'kubernetes');
  const { errors } = await casebook.graphql(PUT, { input: { cluster, ...way } });
  expect(errors).toBeUndefined();
}

const byToken = (server: FakeApiServer, way: object = {}): object => ({
  server: server.url,
  certificateAuthority: server.ca,
  token: server.token,
  ...way,
});

describe('a kubeconfig that the environment names', () => {
  it('may lack a context until it is replaced', async () => {
    const { lastError } = await watchIn('late', 'BACKING_OFF');
    const nothing = join(folder, 'nothing');
    const message = `There is no context "late": ${nothing} cannot be read (there is no such file); ${file} has "good".`;
    expect(lastError).toMatchObject({ code: 'CREDENTIALS', message: expect.stringContaining(message) });
    await writeFile(file, kubeconfig({ good, late: other }));
    expect(await watchIn('late', 'WATCHING')).toMatchObject({ server: other.url, lastError: null });
  });

  it('has its clusters registered and watched, events and all', async () => {
    await putPod(good, 'web-6d4cf56db6-x2x5p');
    await putEvent(good, { name: 'a', count: 4 });
    expect(await watchIn('first', 'WATCHING')).toMatchObject({ mode: 'KUBECONFIG', server: good.url, lastError: null, unfollowed: [] });
    const incidents = async (): Promise<unknown> => {
      const { data } = await casebook.graphql('{ incidents(filter: { clusters: ["first"] }) { nodes { occurrences problem { id } } } }');
      return (data['incidents'] as { nodes: unknown[] }).nodes[0];
    };
    await waitUntil(incidents, (found) => found !== undefined);
    await putEvent(good, { name: 'a', count: 7 });
    await waitUntil(incidents, (found) => (found as { occurrences: number }).occurrences === 7);
    expect(await incidents()).toEqual({ occurrences: 7, problem: { id: 'kubernetes/container/crash-loop' } });
    const { positionAgeSeconds } = (await waitUntil(
      () => watchOf('first'),
      (watch) => watch?.positionAgeSeconds !== null,
    )) as Watch;
    expect(positionAgeSeconds).toBeLessThan(15);
  });

  it('goes before a stored credential', async () => {
    for (const mutation of [
      `watchCluster(input: { cluster: "first", server: "https://a", token: "t" })`,
      'unwatchCluster(cluster: "first")',
    ]) {
      const { errors } = await casebook.graphql(`mutation { ${mutation} { name } }`);
      expect(errors?.[0]).toMatchObject({ extensions: { code: 'CONFLICT' }, message: expect.stringContaining('CASEBOOK_WATCH_CONTEXTS') });
    }
  });
});

describe('a stored credential', () => {
  it('has a cluster watched by token, by kubeconfig and by client certificate', async () => {
    await watchCluster('by-token', byToken(good));
    await watchCluster('by-kubeconfig', { kubeconfig: kubeconfig({ good, other }), context: 'other' });
    const { certData, keyData } = good.clientCertificate('system:serviceaccount:casebook:casebook');
    const config = JSON.parse(kubeconfig({ good })) as { users: { user: object }[] };
    config.users[0]!.user = { 'client-certificate-data': certData, 'client-key-data': keyData };
    await watchCluster('by-certificate', { kubeconfig: JSON.stringify(config) });
    for (const [cluster, server] of Object.entries({ 'by-token': good, 'by-kubeconfig': other, 'by-certificate': good })) {
      expect(await watchIn(cluster, 'WATCHING')).toMatchObject({ mode: 'STORED', server: server.url });
    }
  });

  it('tells what is wrong with it, and the service goes on', async () => {
    const stranger = await FakeApiServer.start();
    await casebook.register('busy');
    const ways: Record<string, [object, string, RegExp]> = {
      'bad-token': [byToken(good, { token: 'wrong-token' }), 'UNAUTHORIZED', /answered 401/],
      'bad-authority': [byToken(good, { certificateAuthority: stranger.ca }), 'TLS', /certificate/],
      'nobody-there': [byToken(good, { server: 'https://127.0.0.1:1' }), 'NETWORK', /ECONNREFUSED/],
      'no-kubernetes': [
        { server: casebook.url, token: 'wrong-token', allowInsecure: true },
        'UNEXPECTED_ANSWER',
        /answered 404|no Kubernetes API server/,
      ],
      'no-rights': [byToken(stranger), 'FORBIDDEN', /answered 403/],
    };
    for (const group of ['events', 'events.events.k8s.io']) for (const verb of ['list', 'watch']) stranger.denied.add(`${verb} ${group}`);
    for (const [cluster, [way]] of Object.entries(ways)) await watchCluster(cluster, way);
    for (const [cluster, [, code, message]] of Object.entries(ways)) {
      const { lastError } = await watchIn(cluster, 'BACKING_OFF');
      expect(lastError, cluster).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    expect((await casebook.send('GET', '/readyz')).status).toBe(200);
    expect((await casebook.post('busy', [clusterEvent({ name: 'b' })])).status).toBe(200);
    // Rights that come later are enough, and so is another credential.
    stranger.denied.clear();
    await casebook.graphql(PUT, { input: { cluster: 'bad-token', ...byToken(good) } });
    expect((await watchIn('bad-token', 'WATCHING')).lastError).toBeNull();
    expect((await watchIn('no-rights', 'WATCHING')).lastError).toBeNull();
    await casebook.graphql('mutation { unwatchCluster(cluster: "no-rights") { name } }');
    await waitUntil(
      () => stranger.openConnections,
      (open) => open === 0,
    );
    await stranger.stop();
  }, 60_000);

  it('is refused where it cannot be right', async () => {
    const refusals: [object, string, RegExp][] = [
      [{ cluster: 'unheard-of', ...byToken(good) }, 'NOT_FOUND', /No cluster named "unheard-of"/],
      [{ cluster: 'first', kubeconfig: 'a: [' }, 'BAD_INPUT', /it is not YAML/],
      [
        { cluster: 'first', ...byToken(good), certificateAuthority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
        'BAD_INPUT',
        /cannot be read/,
      ],
    ];
    for (const [input, code, message] of refusals) {
      const { errors } = await casebook.graphql(PUT, { input });
      expect(errors?.[0]).toMatchObject({ extensions: { code }, message: expect.stringMatching(message) });
    }
  });

  it('is used no more once the watch is ended or the cluster suspended', async () => {
    const servers = await Promise.all([FakeApiServer.start(), FakeApiServer.start()]);
    await watchCluster('to-end', byToken(servers[0]));
    await watchCluster('to-suspend', byToken(servers[1]));
    await watchIn('to-end', 'WATCHING');
    await watchIn('to-suspend', 'WATCHING');
    await casebook.database.pool.query(`UPDATE cluster SET suspended_at = now() WHERE name = 'to-suspend'`);
    const { data } = await casebook.graphql(`mutation { unwatchCluster(cluster: "to-end") { ${WATCH} } }`);
    expect(data['unwatchCluster']).toEqual({ watch: null });
    expect(await watchIn('to-suspend', 'UNASSIGNED')).toMatchObject({ holder: null });
    for (const server of servers)
      await waitUntil(
        () => server.openConnections,
        (open) => open === 0,
      );
    await Promise.all(servers.map((server) => server.stop()));
  });
});

describe('what a watch cannot read', () => {
  it('is kept as what senders post is, wherever it came: in a list, as a line, as a line that is too long', async () => {
    const server = await FakeApiServer.start();
    const secret = 'password=hunter2-of-the-watch';
    server.store.put('events', { metadata: { name: 'listed', namespace: 'default' }, involvedObject: 7, message: secret } as never);
    await watchCluster('misread', byToken(server));
    await watchIn('misread', 'WATCHING');
    server.watches[0]!.send(`no JSON, ${secret}\n`);
    server.watches[0]!.send(`{"type":"ADDED","object":"${'x'.repeat(9 * 1024 * 1024)}"}\n`);
    await putEvent(server, { name: 'readable' });
    const ask = `{ rejected(cluster: "misread") { nodes { code reason count element format address userAgent token sample } } }`;
    const rejected = async () => (await casebook.graphql<{ rejected: { nodes: Record<string, unknown>[] } }>(ask)).data.rejected.nodes;
    const nodes = await waitUntil(rejected, (found) => found.length === 3);
    const sender = {
      code: 'BAD_ELEMENT',
      count: 1,
      format: 'watch',
      address: new URL(server.url).host,
      userAgent: 'casebook watch',
      token: 'none',
    };
    const of = (part: string) => nodes.find(({ reason }) => String(reason).includes(part));
    expect(of('involvedObject')).toMatchObject({
      ...sender,
      reason: 'involvedObject: 7 is not an object',
      element: 0,
      sample: expect.stringContaining('"name":"listed"') as string,
    });
    expect(of('is not JSON')).toMatchObject({ ...sender, sample: expect.stringMatching(/^no JSON, password=/) as string });
    const tooLong = of('is longer than');
    expect(tooLong).toMatchObject({ ...sender, sample: expect.stringMatching(/^\{"type":"ADDED","object":"xxx/) as string });
    expect(String(tooLong!['sample']).length).toBeLessThanOrEqual(512);
    expect(JSON.stringify(nodes) + casebook.logged.join('')).not.toContain('hunter2');
    await casebook.graphql('mutation { unwatchCluster(cluster: "misread") { name } }');
    await server.stop();
  });
});

describe('the watches of a replica', () => {
  it('are in its metrics, and never their secrets in its log', async () => {
    const { body } = await casebook.send('GET', '/metrics');
    expect(body).toContain('casebook_watch_state{cluster="by-token",state="watching"} 1');
    expect(body).toContain('casebook_watch_state{cluster="by-token",state="backing-off"} 0');
    expect(body).toMatch(/casebook_watch_events_total\{cluster="first",result="accepted"\} \d/);
    expect(body).toContain('casebook_watch_unregistered 0');
    for (const secret of [good.token, other.token, 'wrong-token']) expect(casebook.logged.join('')).not.toContain(secret);
    expect(casebook.logged.join('')).toContain('this replica watches the cluster');
  });

  it('have asked for nothing that the role in deploy/ does not give', async () => {
    const { rules } = parse(await readFile('deploy/kustomize/watch-role/cluster-role.yaml', 'utf8')) as {
      rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
    };
    const allowed = (asked: string): boolean => {
      const [, verb, resource, group = ''] = /^(\w+) (\w+)(?:[.](.+))?$/.exec(asked)!;
      return rules.some((rule) => rule.verbs.includes(verb!) && rule.resources.includes(resource!) && rule.apiGroups.includes(group));
    };
    const asked = [...new Set(good.asked)].filter((each) => !/^(create|update|delete) /.test(each));
    expect(asked).toEqual(expect.arrayContaining(['list events', 'watch events', 'get pods']));
    expect(asked.filter((each) => !allowed(each))).toEqual([]);
  });
});

/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QuietService } from '../../src/pipeline/quiet.service.js';
import { crash, e4011 } from '../support/core-event.js';
import type { Answer, GraphqlAnswer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;
let taken = 0;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_AUTH: 'required' });
});
afterAll(() => casebook?.stop());

const name = (): string => `cluster-${taken++}`;
const change = (call: string, fields = 'name', variables: object = {}, declared = ''): Promise<GraphqlAnswer<Record<string, any>>> =>
  casebook.graphql(`mutation${declared} { done: ${call} { ${fields} } }`, variables);

async function rotate(cluster: string, graceSeconds?: number): Promise<{ token: string; id: string }> {
  const grace = graceSeconds === undefined ? '' : `, graceSeconds: ${graceSeconds}`;
  const { data, errors } = await change(`rotateClusterToken(name: "${cluster}"${grace})`, 'token issued { id expiresAt lastUsedAt }');
  expect(errors).toBeUndefined();
  expect(data['done'].issued).toMatchObject({ expiresAt: null, lastUsedAt: null });
  return { token: data['done'].token, id: data['done'].issued.id };
}

async function tokens(cluster: string): Promise<{ id: string; createdAt: string; lastUsedAt: string | null; expiresAt: string | null }[]> {
  const { data } = await casebook.graphql(`{ cluster(name: "${cluster}") { tokens { id createdAt lastUsedAt expiresAt } } }`);
  return data['cluster'].tokens;
}

const told = ({ status, body }: Answer): [number, string] => [status, (body as { error?: { message: string } }).error?.message ?? ''];
const refused = ({ errors }: GraphqlAnswer<unknown>): [string, string] => [errors![0]!.extensions.code, errors![0]!.message];

describe('updateCluster', () => {
  it('changes what is given and leaves the rest', async () => {
    const cluster = name();
    await casebook.register(cluster, 'tke');
    const fields = 'name provider region labels eventsPerSecond maxBodyBytes state';
    const first = await change(
      `updateCluster(name: "${cluster}", input: { region: "ap-guangzhou", labels: { team: "shop" }, eventsPerSecond: 50, maxBodyBytes: 2048 })`,
      fields,
    );
    const expected = {
      name: cluster,
      provider: 'TKE',
      region: 'ap-guangzhou',
      labels: { team: 'shop' },
      eventsPerSecond: 50,
      maxBodyBytes: 2048,
    };
    expect(first.data['done']).toEqual({ ...expected, state: 'ACTIVE' });
    const second = await change(
      `updateCluster(name: "${cluster}", input: { provider: TKE_SERVERLESS, region: null, eventsPerSecond: null })`,
      fields,
    );
    expect(second.data['done']).toEqual({ ...expected, provider: 'TKE_SERVERLESS', region: null, eventsPerSecond: null, state: 'ACTIVE' });
  });

  it.each([
    ['{}', 'at least one field'],
    ['{ provider: null }', 'provider'],
    ['{ provider: CASEBOOK }', 'provider'],
    ['{ labels: [1] }', 'labels'],
    ['{ labels: { a: 1 } }', 'labels'],
    ['{ eventsPerSecond: 0 }', 'eventsPerSecond: expected a whole number from 1 to 1000000, got 0'],
    ['{ maxBodyBytes: 100 }', 'maxBodyBytes'],
    [`{ region: "${'x'.repeat(101)}" }`, 'region'],
  ])('refuses %s', async (input, message) => {
    const cluster = name();
    await casebook.register(cluster);
    const answer = await change(`updateCluster(name: "${cluster}", input: ${input})`);
    expect(refused(answer)).toEqual(['BAD_INPUT', expect.stringContaining(message)]);
  });

  it('counts a new limit of the size of bodies at once', async () => {
    const cluster = name();
    const token = await casebook.register(cluster);
    expect((await casebook.post(cluster, e4011(), token)).status).toBe(200);
    await change(`updateCluster(name: "${cluster}", input: { maxBodyBytes: 1024 })`);
    const padded = JSON.stringify(e4011()).padEnd(1025);
    expect(told(await casebook.post(cluster, padded, token))).toEqual([413, expect.stringContaining('1024 bytes')]);
    const chunked = new ReadableStream({
      start: (controller) => (controller.enqueue(new TextEncoder().encode(padded)), controller.close()),
    });
    const answer = await fetch(`${casebook.url}/v1/clusters/${cluster}/events`, {
      method: 'POST',
      body: chunked,
      headers: { authorization: `Bearer ${token}` },
      // @ts-expect-error the types of Node 20 do not know it yet
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
    expect((await casebook.post(cluster, padded.slice(0, 1024), token)).status).toBe(200);
  });
});

describe('tokens', () => {
  it('are two for a while, one after the old one is revoked', async () => {
    const cluster = name();
    const old = await casebook.register(cluster);
    const { id: oldId } = (await tokens(cluster))[0]!;
    const { token, id } = await rotate(cluster);
    for (const each of [old, token]) expect((await casebook.post(cluster, e4011(), each)).status).toBe(200);
    const listed = await tokens(cluster);
    expect(listed.map((one) => one.id)).toEqual([id, oldId]);
    const [fresh, former] = listed as [(typeof listed)[0], (typeof listed)[0]];
    expect(fresh.expiresAt).toBeNull();
    expect(Math.abs(Date.parse(former.expiresAt!) - Date.now() - 86_400_000)).toBeLessThan(60_000);
    for (const { lastUsedAt } of listed) expect(lastUsedAt).toMatch(/:00(\.000)?Z$/);
    expect((await change(`revokeClusterToken(name: "${cluster}", id: ${oldId})`, 'tokens { id }')).data['done'].tokens).toEqual([{ id }]);
    expect(told(await casebook.post(cluster, e4011(), old))).toEqual([401, 'The token is not known, or was revoked.']);
    expect((await casebook.post(cluster, e4011(), token)).status).toBe(200);
  });

  it('expire after the grace, and say so', async () => {
    const cluster = name();
    const old = await casebook.register(cluster);
    expect((await casebook.post(cluster, e4011(), old)).status).toBe(200);
    const { token } = await rotate(cluster, 0);
    expect(told(await casebook.post(cluster, e4011(), old))).toEqual([401, expect.stringMatching(/^The token expired at 20/)]);
    expect((await casebook.post(cluster, e4011(), token)).status).toBe(200);
    // A longer grace of a later rotation does not wake it up again.
    await rotate(cluster, 3600);
    expect((await casebook.post(cluster, e4011(), old)).status).toBe(401);
    expect((await casebook.post(cluster, e4011(), token)).status).toBe(200);
  });

  it('are never shown again, nor stored, nor logged', async () => {
    const cluster = name();
    const { token } = (await casebook.register(cluster), await rotate(cluster));
    await casebook.post(cluster, e4011(), token);
    const shown = JSON.stringify(
      await casebook.graphql(`{ cluster(name: "${cluster}") { name tokens { id createdAt lastUsedAt expiresAt } } }`),
    );
    const { rows } = await casebook.database.pool.query('SELECT encode(hash, $1) AS hash, t.* FROM cluster_token t', ['escape']);
    for (const text of [shown, JSON.stringify(rows), casebook.logged.join('')]) expect(text).not.toContain(token.slice(3));
  });

  it('are eight at a time', async () => {
    const cluster = name();
    await casebook.register(cluster);
    for (let i = 0; i < 7; i++) await rotate(cluster);
    expect(refused(await change(`rotateClusterToken(name: "${cluster}")`, 'token'))).toEqual([
      'CONFLICT',
      expect.stringContaining('revoke those'),
    ]);
    expect(await tokens(cluster)).toHaveLength(8);
    await rotate(cluster, 0);
    expect((await tokens(cluster)).filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
    for (let i = 0; i < 5; i++) await rotate(cluster, 0);
    expect(await tokens(cluster)).toHaveLength(11);
  });

  it('are refused elsewhere, and not taken from another cluster', async () => {
    const [one, two] = [name(), name()];
    const token = await casebook.register(one);
    await casebook.register(two);
    expect(told(await casebook.post(two, e4011(), token))).toEqual([403, `The token belongs to another cluster than "${two}".`]);
    const { id } = (await tokens(one))[0]!;
    expect(refused(await change(`revokeClusterToken(name: "${two}", id: ${id})`))).toEqual([
      'NOT_FOUND',
      expect.stringContaining(`no token with the id ${id}`),
    ]);
    expect((await casebook.post(one, e4011(), token)).status).toBe(200);
  });

  it.each([
    ['rotateClusterToken(name: "nowhere") { token }', 'NOT_FOUND', 'no cluster named "nowhere" is registered'],
    [
      'rotateClusterToken(name: "prod", graceSeconds: -1) { token }',
      'BAD_INPUT',
      'graceSeconds: expected a whole number from 0 to 2592000, got -1',
    ],
    ['rotateClusterToken(name: "prod", graceSeconds: 2592001) { token }', 'BAD_INPUT', 'graceSeconds'],
    ['revokeClusterToken(name: "nowhere", id: 1) { name }', 'NOT_FOUND', 'nowhere'],
    ['revokeClusterToken(name: "prod", id: "x") { name }', 'BAD_INPUT', 'id: expected a whole number'],
    ['updateCluster(name: "nowhere", input: { region: "x" }) { name }', 'NOT_FOUND', 'nowhere'],
    ['suspendCluster(name: "nowhere") { name }', 'NOT_FOUND', 'nowhere'],
    [`suspendCluster(name: "prod", reason: "${'x'.repeat(501)}") { name }`, 'BAD_INPUT', 'reason'],
    ['resumeCluster(name: "nowhere") { name }', 'NOT_FOUND', 'nowhere'],
    ['requireSignatures(name: "nowhere", required: true) { name }', 'NOT_FOUND', 'nowhere'],
    ['removeCluster(name: "nowhere", confirm: "nowhere") { name }', 'NOT_FOUND', 'nowhere'],
    ['removeCluster(name: "prod", confirm: "Prod") { name }', 'BAD_INPUT', 'confirm: expected'],
    ['rotateSigningSecret(name: "prod") { secret }', 'CONFLICT', 'CASEBOOK_SECRET_KEY'],
    ['revokeSigningSecret(name: "prod", id: 1) { name }', 'NOT_FOUND', 'no signing secret with the id 1'],
  ])('and the rest of the registry: %s is refused', async (call, code, message) => {
    if (!(await casebook.graphql('{ cluster(name: "prod") { name } }')).data['cluster']) await casebook.register('prod');
    const answer = await casebook.graphql(`mutation { ${call} }`);
    expect(refused(answer)).toEqual([code, expect.stringContaining(message)]);
  });

  it('rotate under traffic without losing anything', async () => {
    const cluster = name();
    let token = await casebook.register(cluster);
    const answers: Answer[] = [];
    let sending = true;
    const sender = async (id: number): Promise<void> => {
      for (let i = 0; sending || i < 5; i++)
        answers.push(await casebook.post(cluster, e4011({ uid: `${cluster}-${id}-${i}`, name: `web-${id}` }), token));
    };
    const senders = [0, 1, 2, 3].map(sender);
    for (let i = 0; i < 5; i++) {
      token = (await rotate(cluster, 60)).token;
      const before = answers.length;
      while (answers.length < before + 8) await casebook.send('GET', '/healthz');
    }
    sending = false;
    await Promise.all(senders);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.length).toBeGreaterThan(40);
    const { rows } = await casebook.database.pool.query(
      'SELECT count(*)::int AS n FROM event e JOIN cluster c ON c.id = e.cluster_id WHERE c.name = $1',
      [cluster],
    );
    expect(rows[0]).toEqual({ n: answers.length });
  });
});

describe('a suspended cluster', () => {
  it('is told so and why, keeps what is known, and is taken again when it is resumed', async () => {
    const cluster = name();
    const token = await casebook.register(cluster);
    await casebook.post(cluster, e4011(), token);
    const fields = 'state suspendedReason suspendedAt openIncidents';
    const { data } = await change(`suspendCluster(name: "${cluster}", reason: " noisy since the upgrade. ")`, fields);
    expect(data['done']).toMatchObject({ state: 'SUSPENDED', suspendedReason: 'noisy since the upgrade.', openIncidents: 1 });
    const message = `Cluster "${cluster}" is suspended since ${String(data['done'].suspendedAt).replace(/\.\d+Z$/, 'Z')}: noisy since the upgrade. Nothing is taken from it until it is resumed.`;
    expect(told(await casebook.post(cluster, e4011(), token))).toEqual([403, message]);
    expect(told(await casebook.post(cluster, e4011(), ADMIN_TOKEN))).toEqual([403, message]);
    expect((await casebook.send('HEAD', `/v1/clusters/${cluster}/events`, { token })).status).toBe(403);
    expect((await casebook.send('POST', '/v1/diagnose', { body: e4011(), token })).status).toBe(200);
    const { data: read } = await casebook.graphql(`{ incidents(filter: { clusters: ["${cluster}"] }) { nodes { status } } }`);
    expect(read['incidents'].nodes).toEqual([{ status: 'OPEN' }]);
    expect((await change(`resumeCluster(name: "${cluster}")`, fields)).data['done']).toMatchObject({
      state: 'ACTIVE',
      suspendedReason: null,
    });
    expect((await casebook.post(cluster, e4011(), token)).body).toMatchObject({ accepted: 1 });
  });

  it('has its incidents end by quiet all the same', async () => {
    const cluster = name();
    await casebook.register(cluster);
    await casebook.post(cluster, crash());
    await change(`suspendCluster(name: "${cluster}")`);
    await casebook.app.get(QuietService).run(Date.now() + 30 * 86_400_000);
    const { data } = await casebook.graphql(`{ incidents(filter: { clusters: ["${cluster}"] }) { nodes { status resolvedBy } } }`);
    expect(data['incidents'].nodes).toEqual([{ status: 'RESOLVED', resolvedBy: 'QUIET' }]);
  });
});

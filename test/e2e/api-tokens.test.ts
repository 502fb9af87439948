/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../src/platform/clock.js';
import { AuditRepository } from '../../src/store/audit.repository.js';
import { e4011 } from '../support/core-event.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
  for (const name of ['prod', 'test']) await casebook.register(name);
  await casebook.post('prod', [e4011({ namespace: 'shop', name: 'a' }), e4011({ namespace: 'bank', name: 'b' })]);
  await casebook.post('test', e4011({ namespace: 'shop', name: 'c' }));
});
afterAll(() => casebook?.stop());
afterEach(() => vi.restoreAllMocks());

async function ask(token: string, query: string, variables: object = {}): Promise<{ data: any; errors?: any[] }> {
  const headers = { 'content-type': 'application/json' };
  const { body } = await casebook.send('POST', '/graphql', { body: { query, variables }, headers, token });
  return body;
}
const CREATE = `mutation ($input: CreateApiTokenInput!) {
  createApiToken(input: $input) { token issued { id name role clusters namespaces createdBy expiresAt lastUsedAt } } }`;
async function make(input: object, token = ADMIN_TOKEN): Promise<{ token: string; issued: any }> {
  const { data, errors } = await ask(token, CREATE, { input: { name: 'some token', role: 'VIEWER', ...input } });
  if (errors) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data.createApiToken;
}
const later = (seconds: number): void => {
  const at = Date.now() + seconds * 1000;
  vi.spyOn(casebook.app.get(Clock), 'now').mockImplementation(() => at);
};

describe('API tokens', () => {
  it('are shown once, kept as a hash, listed, noted when used, and revoked', async () => {
    const { token, issued } = await make({ name: ' portal ', role: 'OPERATOR', clusters: ['prod', 'prod'], namespaces: ['shop'] });
    expect(token).toMatch(/^cbu_[\w-]{43}$/);
    expect(issued).toMatchObject({
      name: 'portal',
      role: 'OPERATOR',
      clusters: ['prod'],
      namespaces: ['shop'],
      createdBy: 'admin-token',
      lastUsedAt: null,
    });
    const { rows } = await casebook.database.pool.query('SELECT * FROM api_token');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect((await ask(token, '{ incidents { totalCount nodes { subject { name } } } }')).data.incidents).toEqual({
      totalCount: 1,
      nodes: [{ subject: { name: 'a' } }],
    });
    const { data } = await ask(ADMIN_TOKEN, '{ apiTokens(first: 1) { totalCount nodes { id lastUsedAt } pageInfo { hasNextPage } } }');
    expect(data.apiTokens.nodes).toEqual([{ id: issued.id, lastUsedAt: expect.stringMatching(/:00\.000Z$/) }]);
    expect((await ask(ADMIN_TOKEN, `mutation { revokeApiToken(id: ${issued.id}) { name } }`)).data).toEqual({
      revokeApiToken: { name: 'portal' },
    });
    expect((await casebook.send('GET', '/v1/problems', { token })).status).toBe(401);
    expect((await ask(ADMIN_TOKEN, `mutation { revokeApiToken(id: ${issued.id}) { name } }`)).errors![0].extensions.code).toBe('NOT_FOUND');
  });

  it('expire', async () => {
    const { token } = await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await casebook.send('GET', '/v1/problems', { token })).status).toBe(200);
    later(61);
    const { status, body } = await casebook.send('GET', '/v1/problems', { token });
    expect([status, body.error.message]).toEqual([401, expect.stringContaining('expired at')]);
  });

  it.each<[object, string]>([
    [{ name: '' }, 'BAD_INPUT: name'],
    [{ name: 'x\u0007' }, 'BAD_INPUT: name'],
    [{ name: 'x'.repeat(101) }, 'BAD_INPUT: name'],
    [{ clusters: [] }, 'BAD_INPUT: clusters'],
    [{ clusters: ['*'] }, 'BAD_INPUT: clusters'],
    [{ clusters: ['a\u0000'] }, 'BAD_INPUT: clusters'],
    [{ clusters: Array.from({ length: 10_000 }, (_, i) => `c${i}`) }, 'BAD_INPUT: clusters: expected 1 to 200 names'],
    [{ role: 'ADMIN', namespaces: ['shop'] }, 'BAD_INPUT: namespaces'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'BAD_INPUT: expiresAt'],
    [{ expiresAt: '3020-01-01T00:00:00Z' }, 'BAD_INPUT: expiresAt'],
  ])('are not made of %j', async (input, message) => {
    await expect(make(input)).rejects.toThrow(message);
  });

  it('are of a limited number', async () => {
    const { rows } = await casebook.database.pool.query<{ id: number }>(
      `INSERT INTO api_token (name, hash, role, created_by) SELECT 'x', ('h' || i)::bytea, 'viewer', 'test' FROM generate_series(1, 1000) i RETURNING id`,
    );
    await expect(make({})).rejects.toThrow('CONFLICT: there are 1000 tokens already');
    await casebook.database.pool.query('DELETE FROM api_token WHERE id = ANY($1)', [rows.map(({ id }) => id)]);
    await make({});
  });

  it('of an admin of some clusters make and see none that may do more', async () => {
    const { token, issued } = await make({ role: 'ADMIN', clusters: ['prod'] });
    await make({ name: 'for all' });
    const own = await make({ name: 'for prod', role: 'ADMIN', clusters: ['prod'] }, token);
    expect(own.issued.createdBy).toBe(`token:${issued.id}`);
    await expect(make({}, token)).rejects.toThrow('FORBIDDEN');
    await expect(make({ clusters: ['prod', 'test'] }, token)).rejects.toThrow('FORBIDDEN');
    const { data } = await ask(token, '{ apiTokens { totalCount nodes { clusters } } clusters { name } rejected { totalCount } }');
    expect(data.apiTokens.nodes.every(({ clusters }: { clusters: string[] }) => String(clusters) === 'prod')).toBe(true);
    expect(data.clusters).toEqual([{ name: 'prod' }]);
    expect((await ask(token, 'mutation { suspendCluster(name: "prod") { state } }')).data.suspendCluster).toEqual({ state: 'SUSPENDED' });
    expect((await ask(token, 'mutation { resumeCluster(name: "prod") { state } }')).data.resumeCluster).toEqual({ state: 'ACTIVE' });
    expect((await ask(token, 'mutation { suspendCluster(name: "test") { state } }')).errors![0]).toMatchObject({
      message: 'no cluster named "test" is registered',
      extensions: { code: 'NOT_FOUND' },
    });
    expect((await casebook.send('GET', '/metrics', { token })).status).toBe(403);
    expect((await casebook.post('prod', e4011({ name: 'd' }), token)).status).toBe(200);
    expect((await casebook.post('test', e4011({ name: 'd' }), token)).status).toBe(404);
    expect((await casebook.send('POST', '/v1/clusters', { body: { name: 'other' }, token })).status).toBe(403);
  });
});

describe('roles', () => {
  it.each<[string, string, object | undefined, number, number, number]>([
    // method, path, body, status of a viewer, an operator and an admin
    ['GET', '/v1/problems', undefined, 200, 200, 200],
    ['GET', '/v1/clusters', undefined, 200, 200, 200],
    ['GET', '/v1/trends.csv', undefined, 200, 200, 200],
    ['POST', '/v1/diagnose', e4011(), 200, 200, 200],
    ['GET', '/metrics', undefined, 200, 200, 200],
    ['GET', '/v1/rejected', undefined, 403, 403, 200],
    ['GET', '/v1/clusters/prod/rejected', undefined, 403, 403, 200],
    ['POST', '/v1/clusters', {}, 403, 403, 400],
    ['POST', '/v1/clusters/prod/events', e4011({ uid: 'by-role' }), 403, 403, 200],
  ])('%s %s', async (method, path, body, ...statuses) => {
    const seen = [];
    for (const role of ['VIEWER', 'OPERATOR', 'ADMIN']) {
      seen.push((await casebook.send(method, path, { body, token: (await make({ role })).token })).status);
    }
    expect(seen).toEqual(statuses);
  });

  it('are asked by fields: what is refused is told by itself, and noted', async () => {
    const { token, issued } = await make({ role: 'OPERATOR', name: 'nosy' });
    const { data, errors } = await ask(token, '{ clusters { name } apiTokens { totalCount } }');
    expect(data).toBeNull();
    expect(errors).toEqual([
      expect.objectContaining({
        message: 'apiTokens needs the role admin; the token has the role operator.',
        extensions: { code: 'FORBIDDEN' },
      }),
    ]);
    expect((await ask(token, '{ cluster(name: "prod") { name tokens { id } } }')).errors![0].extensions.code).toBe('FORBIDDEN');
    for (let i = 0; i < 5; i++) await ask(token, 'mutation { removeCluster(name: "prod", confirm: "prod") { name } }');
    const { data: log } = await ask(ADMIN_TOKEN, '{ auditLog(first: 200) { nodes { actor actorName action outcome target clusters } } }');
    const own = log.auditLog.nodes.filter(({ actor }: { actor: string }) => actor === `token:${issued.id}`);
    expect(own.map(({ action, outcome }: any) => [action, outcome])).toEqual([
      ['removeCluster', 'REFUSED'],
      ['tokens', 'REFUSED'],
      ['apiTokens', 'REFUSED'],
    ]);
    expect(own[0]).toMatchObject({ actorName: 'nosy', target: 'prod', clusters: ['prod'] });
  });

  it('are asked by routes too: what is refused for the role or the scope is noted once a minute', async () => {
    const { token, issued } = await make({ role: 'VIEWER', name: 'curious', clusters: ['prod'] });
    for (let i = 0; i < 3; i++) expect((await casebook.send('GET', '/v1/clusters/prod/rejected?first=1', { token })).status).toBe(403);
    expect((await casebook.send('POST', '/v1/clusters', { body: { name: 'more' }, token })).status).toBe(403);
    expect((await casebook.send('GET', '/metrics', { token })).status).toBe(403);
    expect((await casebook.post('prod', e4011(), token)).status).toBe(403);
    expect((await casebook.send('GET', '/v1/clusters', { token })).status).toBe(200);
    const { data } = await ask(ADMIN_TOKEN, '{ auditLog(first: 200) { nodes { actor action outcome target clusters input } } }');
    const own = data.auditLog.nodes.filter(({ actor }: { actor: string }) => actor === `token:${issued.id}`);
    const noted = { actor: `token:${issued.id}`, outcome: 'REFUSED', target: null, clusters: ['prod'], input: null };
    expect(own).toEqual([
      { ...noted, action: 'POST /v1/clusters/:cluster/events', target: 'prod' },
      { ...noted, action: 'GET /metrics' },
      { ...noted, action: 'POST /v1/clusters' },
      { ...noted, action: 'GET /v1/clusters/:cluster/rejected', target: 'prod' },
    ]);
  });
});

describe('the audit log', () => {
  it('tells who changed what, without secrets, and pages', async () => {
    await ask(ADMIN_TOKEN, 'mutation { updateCluster(name: "test", input: { region: "eu", eventsPerSecond: 7 }) { name } }');
    await ask(
      ADMIN_TOKEN,
      'mutation { watchCluster(input: { cluster: "test", server: "https://10.0.0.1", token: "very-secret" }) { name } }',
    );
    await casebook.send('POST', '/v1/clusters', { body: { name: 'by-rest' }, token: ADMIN_TOKEN });
    const read = async (after: string | null): Promise<any> =>
      (
        await ask(
          ADMIN_TOKEN,
          'query ($after: String) { auditLog(first: 2, after: $after) { totalCount nodes { id action target actor input before after } pageInfo { endCursor hasNextPage } } }',
          { after },
        )
      ).data.auditLog;
    const first = await read(null);
    expect(first.nodes[0]).toMatchObject({
      action: 'registerCluster',
      target: 'by-rest',
      actor: 'admin-token',
      after: { provider: 'kubernetes' },
    });
    const second = await read(first.pageInfo.endCursor);
    const nodes = [...first.nodes, ...second.nodes];
    expect(nodes.find(({ action }) => action === 'updateCluster')).toMatchObject({
      target: 'test',
      before: { region: null, eventsPerSecond: null },
      after: { region: 'eu', eventsPerSecond: 7 },
    });
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(4);
    const { rows } = await casebook.database.pool.query('SELECT * FROM audit_log');
    expect(JSON.stringify(rows)).not.toContain('very-secret');
    const damaged = await ask(ADMIN_TOKEN, '{ auditLog(after: "WzFd") { totalCount } }');
    expect(damaged.errors![0].extensions.code).toBe('BAD_CURSOR');
  });

  it('is written with the change: what cannot be written down is not done', async () => {
    const { pool } = casebook.database;
    const tables = ['cluster', 'cluster_token', 'api_token'];
    const stored = async (): Promise<unknown[]> =>
      (
        await pool.query(
          tables.map((table) => `SELECT '${table}' AS of, to_jsonb(t)::text AS row FROM ${table} t`).join(' UNION ALL ') + ' ORDER BY 1, 2',
        )
      ).rows;
    const changes: Record<string, string> = {
      registerCluster: 'registerCluster(input: { name: "unwritten" }) { token }',
      updateCluster: 'updateCluster(name: "test", input: { region: "unwritten" }) { name }',
      suspendCluster: 'suspendCluster(name: "test") { name }',
      rotateClusterToken: 'rotateClusterToken(name: "test") { token }',
      removeCluster: 'removeCluster(name: "test", confirm: "test") { name }',
      createApiToken: 'createApiToken(input: { name: "unwritten", role: VIEWER }) { token }',
    };
    const before = await stored();
    await pool.query(`ALTER TABLE audit_log ADD CONSTRAINT full_up CHECK (actor_id = 'nobody') NOT VALID`);
    try {
      for (const [name, call] of Object.entries(changes)) {
        const { errors } = await ask(ADMIN_TOKEN, `mutation { ${call} }`);
        expect(errors?.[0].extensions.code, `${name}: ${errors?.[0].message}`).toBe('INTERNAL');
      }
      expect((await casebook.send('POST', '/v1/clusters', { body: { name: 'unwritten' }, token: ADMIN_TOKEN })).status).toBe(500);
    } finally {
      await pool.query('ALTER TABLE audit_log DROP CONSTRAINT full_up');
    }
    expect(await stored()).toEqual(before);
    // Nothing of it is remembered either, and a conflict in the midst of a change is still told as such.
    expect((await casebook.post('test', [])).status).toBe(200);
    const { errors } = await ask(ADMIN_TOKEN, 'mutation { registerCluster(input: { name: "test" }) { token } }');
    expect(errors?.[0].extensions.code).toBe('CONFLICT');
  });

  it('is only added to, and loses what is old', async () => {
    const { pool } = casebook.database;
    await expect(pool.query(`UPDATE audit_log SET actor_id = 'nobody'`)).rejects.toThrow('only added to');
    await expect(pool.query('DELETE FROM audit_log')).rejects.toThrow('only added to');
    await expect(pool.query('TRUNCATE audit_log')).rejects.toThrow('only added to');
    await pool.query(
      `INSERT INTO audit_log (at, actor_id, actor_name, action, outcome) SELECT now() - interval '400 days', 'old', 'old', 'x', 'done' FROM generate_series(1, 10500)`,
    );
    const before = await casebook.app.get(AuditRepository).count({ clusters: null, namespaces: null });
    expect(await casebook.app.get(AuditRepository).dropOld(365)).toBe(10_500);
    expect(await casebook.app.get(AuditRepository).count({ clusters: null, namespaces: null })).toBe(before - 10_500);
  });
});

describe('wrong tokens', () => {
  it('are slowed, and do not lock out others behind the same address', async () => {
    const good = (await make({})).token;
    const send = (token: string, path = '/v1/problems'): Promise<Answer> => casebook.send('GET', path, { token });
    expect((await send(good)).status).toBe(200);
    later(3600);
    const wrong = await Promise.all(
      Array.from({ length: 130 }, (_, i) => send(`cbu_${String(i).padStart(43, 'w')}`).then(({ status }) => status)),
    );
    expect(wrong.filter((status) => status === 401)).toHaveLength(105);
    expect(wrong.filter((status) => status === 503)).toHaveLength(25);
    const more = await casebook.post('prod', e4011(), `cb_${'w'.repeat(43)}`);
    expect([more.status, more.headers.get('retry-after'), more.body.error.code]).toEqual([503, '10', 'BUSY']);
    expect((await send(good)).status).toBe(200);
    later(3660);
    expect((await send(`cbu_${'z'.repeat(43)}`)).status).toBe(401);
  }, 30_000);
});

describe('casebook tokens', () => {
  const run = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((done) => {
      const env = { PATH: process.env['PATH'], CASEBOOK_URL: casebook.url, CASEBOOK_TOKEN: ADMIN_TOKEN };
      execFile(process.execPath, [resolve('dist/commands/casebook.command.js'), 'tokens', ...args], { env }, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
      );
    });

  it('makes, lists and revokes them', async () => {
    const made = await run(
      'create',
      'by hand',
      '--role',
      'operator',
      '--cluster',
      'prod',
      '--cluster',
      'test',
      '--namespace',
      'shop',
      '--expires',
      '12h',
    );
    expect(made).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Token \d+ \(by hand, operator\) is shown this once, and is valid until .*Z\.\n$/),
    });
    expect((await casebook.send('GET', '/v1/clusters', { token: made.out.trim() })).body.clusters).toHaveLength(2);
    const listed = await run('list');
    expect(listed.out).toMatch(
      /^ID +NAME +ROLE +CLUSTERS +NAMESPACES +LAST USED +EXPIRES +CREATED BY\n(\d+) +by hand +operator +prod,test +shop +\d{4}-.* admin-token\n/,
    );
    expect(listed.out).not.toContain(made.out.trim().slice(4));
    const id = /\n(\d+) +by hand/.exec(listed.out)![1]!;
    expect(await run('revoke', id)).toMatchObject({ code: 0, out: expect.stringContaining(`${id} (by hand) is revoked`) });
    expect((await casebook.send('GET', '/v1/clusters', { token: made.out.trim() })).status).toBe(401);
    expect(await run('revoke', id)).toMatchObject({ code: 1, err: expect.stringContaining('(NOT_FOUND)') });
  });

  it.each([
    [['create'], 2, 'expected: casebook tokens create <name>'],
    [['create', 'x', '--role', 'root'], 2, '--role: expected viewer, operator or admin'],
    [['create', 'x', '--expires', 'soon'], 2, '--expires: expected never or a duration'],
    [['create', 'x', '--role', 'admin', '--namespace', 'shop'], 1, 'namespaces: expected none for an admin'],
    [['frobnicate'], 2, 'there is no command "frobnicate"; casebook tokens --help'],
  ])('%j ends with %i', async (args, code, message) => {
    expect(await run(...args)).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
  });
});

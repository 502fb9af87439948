import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCasebook } from '../../src/casebook.service.js';
import { parseConfig } from '../../src/config/config.js';
import { RefusedInput } from '../../src/ingest/refused-input.service.js';
import { Clock } from '../../src/platform/clock.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { Metrics } from '../../src/platform/metrics.service.js';
import { DatabaseUnavailableError } from '../../src/store/database.service.js';
import { MOST_REJECTED, RejectedRepository } from '../../src/store/rejected.repository.js';
import type { NewRejected } from '../../src/store/statements/insert-rejected.js';
import { crash } from '../support/core-event.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { SendOptions, TestCasebook } from '../support/start-casebook.js';

const SECRETS = ['hunter2', 's3cr3t', 'eyJhbGciOiJSUzI1NiJ9'];

let casebook: TestCasebook;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  casebook = await startTestCasebook({
    CASEBOOK_AUTH: 'required',
    CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
    CASEBOOK_TRUSTED_PROXIES: 'loopback',
    CASEBOOK_MAX_BODY_BYTES: '20000',
    CASEBOOK_MAX_INFLATED_BYTES: '40000',
  });
  for (const name of ['elements', 'bodies', 'doors', 'folds', 'pages', 'flood', 'masks']) tokens[name] = await casebook.register(name);
});
afterAll(() => casebook.stop());

/** Sends a body as a sender of the cluster does, and waits until what was refused of it is kept. */
async function send(
  cluster: string,
  body: unknown,
  { headers = {}, token = tokens[cluster] }: SendOptions = {},
  path = `/v1/clusters/${cluster}/events`,
) {
  const answer = await casebook.send('POST', path, { body, token, headers: { 'user-agent': 'agent/1.2', ...headers } });
  await casebook.app.get(RefusedInput).flush();
  return answer;
}

async function listed(
  cluster: string,
  query = '',
): Promise<{ nodes: Record<string, unknown>[]; pageInfo: Record<string, unknown>; totalCount: number }> {
  const { status, body } = await casebook.send('GET', `/v1/clusters/${cluster}/rejected${query}`, { token: ADMIN_TOKEN });
  expect(status).toBe(200);
  return body;
}

describe('refused input', () => {
  it('is kept for each refused element with the reason that the sender was told, the sender, and the element itself', async () => {
    const { body } = await send('elements', [crash(), { kind: 'Pod', metadata: { name: 'web' } }]);
    expect(body).toMatchObject({ accepted: 1, rejected: [{ index: 1 }] });
    const { nodes, totalCount } = await listed('elements');
    expect(totalCount).toBe(1);
    const { rows } = await casebook.database.pool.query<{ id: number }>(
      `SELECT t.id FROM cluster_token t JOIN cluster c ON c.id = t.cluster_id WHERE c.name = 'elements'`,
    );
    expect(nodes[0]).toMatchObject({
      cluster: 'elements',
      code: 'BAD_ELEMENT',
      reason: body.rejected[0].reason,
      element: 1,
      count: 1,
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      userAgent: 'agent/1.2',
      token: String(rows[0]!.id),
      sample: '{"kind":"Pod","metadata":{"name":"web"}}',
    });
    expect(Date.now() - Date.parse(String(nodes[0]!['lastAt']))).toBeLessThan(60_000);
  });

  it('is kept for whole bodies that cannot be read, are too large or of an unknown format', async () => {
    const compressed = { headers: { 'content-encoding': 'gzip', 'content-type': 'application/x-thing' } };
    expect((await send('bodies', 'no event at all')).status).toBe(400);
    expect((await send('bodies', gzipSync('nor this, but compressed'), compressed)).status).toBe(400);
    expect((await send('bodies', 'x'.repeat(20_001))).status).toBe(413);
    expect((await send('bodies', gzipSync(JSON.stringify([{ big: 'y'.repeat(60_000) }])), compressed)).status).toBe(413);
    expect((await send('bodies', [crash()], {}, '/v1/clusters/bodies/events?format=smoke')).status).toBe(400);
    expect((await send('bodies', 'x', { headers: { 'content-encoding': 'br' } })).status).toBe(415);
    const { nodes } = await listed('bodies');
    expect(nodes.map(({ code, element, sample, format }) => [code, element, String(sample).slice(0, 24), format])).toEqual([
      ['UNSUPPORTED_ENCODING', null, '(br data that cannot be ', expect.any(String)],
      ['BAD_INPUT', null, expect.stringContaining('"apiVersion":"v1"'), 'smoke'],
      ['TOO_LARGE', null, '[{"big":"yyyyyyyyyyyyyyy', 'application/x-thing'],
      ['TOO_LARGE', null, '', expect.any(String)],
      ['BAD_INPUT', null, 'nor this, but compressed', 'application/x-thing'],
      ['BAD_INPUT', null, 'no event at all', expect.any(String)],
    ]);
  });

  it('is kept for senders without the right token, and for names that no cluster has', async () => {
    expect((await send('doors', [crash()], { token: `cb_${'x'.repeat(43)}` })).status).toBe(401);
    expect((await casebook.send('POST', '/v1/clusters/doors/events', { body: [crash()] })).status).toBe(401);
    expect((await send('doors', [crash()], { token: tokens['folds']! })).status).toBe(403);
    expect((await casebook.send('HEAD', '/v1/clusters/doors/events', { token: `cb_${'y'.repeat(43)}` })).status).toBe(401);
    await casebook.app.get(RefusedInput).flush();
    const { nodes } = await listed('doors');
    expect(nodes.map(({ code, token }) => [code, token])).toEqual([
      ['FORBIDDEN', expect.stringMatching(/^\d+$/)],
      ['UNAUTHENTICATED', 'none'],
      ['UNAUTHENTICATED', 'unknown'],
    ]);
    expect(nodes[2]).toMatchObject({ count: 2 });

    await send('dors', [crash()], { token: ADMIN_TOKEN });
    const unknown = await casebook.send('GET', '/v1/rejected', { token: ADMIN_TOKEN });
    expect(unknown.body.nodes).toMatchObject([{ cluster: 'dors', code: 'NOT_FOUND', token: 'admin-token' }]);
    expect((await casebook.send('GET', '/v1/rejected', { token: tokens['doors'] })).status).toBe(403);
    expect((await casebook.send('GET', '/v1/clusters/dors/rejected', { token: ADMIN_TOKEN })).status).toBe(404);
    const { data } = await casebook.graphql('{ rejected { totalCount nodes { cluster } } }');
    expect(data).toEqual({ rejected: { totalCount: 1, nodes: [{ cluster: 'dors' }] } });
  });

  it('is not what a sender is only asked to send again', async () => {
    await casebook.register('busy');
    await casebook.database.pool.query(`UPDATE cluster SET events_per_second = 1 WHERE name = 'busy'`);
    const answers = await Promise.all(Array.from({ length: 30 }, () => casebook.post('busy', [crash(), crash(), crash()])));
    await casebook.app.get(RefusedInput).flush();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect((await listed('busy')).nodes).toEqual([]);
  });

  it('shows no secrets', async () => {
    const bad = {
      password: 'hunter2',
      nested: { api_key: 's3cr3t' },
      jwt: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
      url: 'https://me:hunter2@example.com/x',
      kind: 'Secret',
    };
    await send('masks', [bad], { headers: { 'user-agent': 'agent?token=s3cr3t' } });
    await send('masks', `password=hunter2 ${'z'.repeat(600)}`);
    await send('masks', `{"x":"${'z'.repeat(470)}","token":"${'s3cr3t'.repeat(200)}"`);
    const { nodes } = await listed('masks');
    expect(nodes).toHaveLength(3);
    for (const secret of SECRETS) expect(JSON.stringify(nodes)).not.toContain(secret);
    expect(nodes[2]!['sample']).toContain('"password":"***"');
    for (const { sample } of nodes) expect(Buffer.byteLength(String(sample))).toBeLessThanOrEqual(512);
    const { rows } = await casebook.database.pool.query('SELECT * FROM rejected_input');
    expect(JSON.stringify(rows)).not.toContain(tokens['masks']);
  });

  it('folds alike ones of one hour into one row, over several bodies and values', async () => {
    const wrong = (i: number) => ({ ...crash({ uid: `folded-${i}` }), lastTimestamp: `not a time ${i}` });
    for (let i = 0; i < 3; i++) await send('folds', [wrong(i), wrong(i + 10), crash()]);
    await send('folds', [wrong(99)], { headers: { 'user-agent': 'another/1' } });
    expect((await listed('folds')).nodes.map(({ count, userAgent }) => [count, userAgent])).toEqual([
      [1, 'another/1'],
      [6, 'agent/1.2'],
    ]);
  });

  it('counts what one body holds beyond the first hundred in one row', async () => {
    await casebook.register('many');
    const many = Array.from({ length: 250 }, (_, i) => i);
    const { body } = await send('many', many, { token: ADMIN_TOKEN });
    expect(body.rejected).toHaveLength(250);
    const { nodes } = await listed('many');
    expect(nodes.reduce((sum, { count }) => sum + Number(count), 0)).toBe(250);
    expect(nodes.length).toBeLessThan(5);
  });

  it('is paged by key, over REST and GraphQL, with the same rows', async () => {
    for (let i = 0; i < 5; i++) await send('pages', 'nothing', { headers: { 'user-agent': `agent ${'abcde'[i]}` } });
    const first = await listed('pages', '?first=2');
    expect(first).toMatchObject({ totalCount: 5, pageInfo: { hasNextPage: true } });
    const second = await listed('pages', `?first=3&after=${String(first.pageInfo['endCursor'])}`);
    expect([...first.nodes, ...second.nodes].map(({ userAgent }) => userAgent)).toEqual([
      'agent e',
      'agent d',
      'agent c',
      'agent b',
      'agent a',
    ]);
    expect(second.pageInfo['hasNextPage']).toBe(false);
    const query =
      'query ($after: String) { rejected(cluster: "pages", first: 3, after: $after) { nodes { userAgent code reason sample } } }';
    const { data, errors } = await casebook.graphql(query, { after: first.pageInfo['endCursor'] });
    expect(errors).toBeUndefined();
    expect(data['rejected'].nodes).toEqual(
      second.nodes.map(({ userAgent, code, reason, sample }) => ({ userAgent, code, reason, sample })),
    );
    const other = await casebook.send('GET', `/v1/clusters/doors/rejected?after=${String(first.pageInfo['endCursor'])}`, {
      token: ADMIN_TOKEN,
    });
    expect(other).toMatchObject({ status: 400, body: { error: { code: 'BAD_CURSOR' } } });
  });

  it('is bounded for a cluster: the oldest give way and are counted', async () => {
    const { pool } = casebook.database;
    await pool.query(
      `INSERT INTO rejected_input (cluster_id, cluster_name, fold, first_at, last_at, count, code, reason, format, bytes, address, user_agent, token, sample)
       SELECT c.id, c.name, 'old-' || i, now(), now(), 1, 'BAD_INPUT', 'old', '', 0, '', 'old ' || i, 'none', '' FROM cluster c, generate_series(1, $1::int) i WHERE c.name = 'flood'`,
      [MOST_REJECTED.ofCluster],
    );
    await send('flood', 'one more');
    const { nodes, totalCount } = await listed('flood');
    expect(totalCount).toBe(MOST_REJECTED.ofCluster);
    expect(nodes[0]).toMatchObject({ sample: 'one more' });
    const { rows } = await pool.query(`SELECT 1 FROM rejected_input WHERE user_agent = 'old 1'`);
    expect(rows).toEqual([]);
    expect((await casebook.send('GET', '/metrics', { token: ADMIN_TOKEN })).body).toMatch(
      /casebook_refused_unkept_total\{why="trimmed"\} [1-9]/,
    );
  });

  it('is bounded in memory: what finds no room is counted, and nobody waits', async () => {
    const refused = casebook.app.get(RefusedInput);
    const request = {
      headers: {},
      query: {},
      params: { cluster: 'flood' },
      clientAddress: '::1',
      caller: { kind: 'anonymous' },
      body: new Uint8Array(),
    };
    for (let i = 0; i < 1200; i++) refused.elements({ ...request, clientAddress: `fd00::${i}` } as never, [{ index: 0, reason: 'no' }]);
    await refused.flush();
    expect((await casebook.send('GET', '/metrics', { token: ADMIN_TOKEN })).body).toMatch(
      /casebook_refused_unkept_total\{why="overflow"\} 200\b/,
    );
  });

  it('is not pushed out by whoever has no token, however it varies what it says of itself', async () => {
    await casebook.register('besieged');
    await casebook.database.pool.query(
      `INSERT INTO rejected_input (cluster_id, cluster_name, fold, first_at, last_at, count, code, reason, format, bytes, address, user_agent, token, sample)
       SELECT c.id, c.name, 'own-' || i, now(), now(), 1, 'BAD_INPUT', 'own', '', 0, '', 'own ' || i, '7', '' FROM cluster c, generate_series(1, $1::int) i WHERE c.name = 'besieged'`,
      [MOST_REJECTED.ofCluster],
    );
    /** Posts without a token, each time as another sender, and waits until that is kept. */
    const besiege = async (addresses: readonly string[]): Promise<void> => {
      for (const [i, address] of addresses.entries()) {
        const headers = { 'user-agent': `made-up/${i}`, 'content-type': `made/up-${i}`, 'x-forwarded-for': address };
        expect((await casebook.send('POST', '/v1/clusters/besieged/events', { body: 'x', headers })).status).toBe(401);
      }
      await casebook.app.get(RefusedInput).flush();
    };
    const kept = async (): Promise<{ strangers: Record<string, unknown>[]; own: number }> => {
      const { rows } = await casebook.database.pool.query<Record<string, unknown>>(
        `SELECT r.code, r.address, r.count::integer AS count FROM rejected_input r WHERE r.cluster_name = 'besieged'`,
      );
      const strangers = rows.filter(({ code }) => code === 'UNAUTHENTICATED');
      return { strangers, own: rows.length - strangers.length };
    };
    await besiege(Array.from({ length: 5 }, (_, i) => `2001:db8::${i}`));
    expect(await kept()).toEqual({
      strangers: [{ code: 'UNAUTHENTICATED', address: '2001:db8:0:0::/64', count: 5 }],
      own: MOST_REJECTED.ofCluster,
    });
    for (const network of ['192.0.2', '198.51.100']) await besiege(Array.from({ length: 60 }, (_, i) => `${network}.${i}`));
    const { strangers, own } = await kept();
    expect([strangers.length, own]).toEqual([MOST_REJECTED.ofStrangers, MOST_REJECTED.ofCluster]);
    expect(strangers.every(({ address }) => String(address).startsWith('198.51.100.'))).toBe(true);
  });

  it('leaves room for what is refused of clusters while strangers come from everywhere at once', async () => {
    const kept: NewRejected[][] = [];
    const repository = { keep: (list: NewRejected[]) => Promise.resolve(kept.push(list) && 0) };
    let answered: (request: object, reply: object) => Promise<void> = () => Promise.resolve();
    const server = { decorateRequest: () => undefined, addHook: (_name: string, hook: typeof answered) => void (answered = hook) };
    const http = { httpAdapter: { getInstance: () => server } };
    const refused = new RefusedInput(repository as never, casebook.app.get(Clock), http as never, createLogger('silent'), new Metrics());
    refused.onModuleInit();
    const request = { headers: {}, query: {}, params: { cluster: 'x' }, routeOptions: { config: { access: 'token' } } };
    const strange = { ...request, caller: { kind: 'anonymous' }, refusal: { code: 'UNAUTHENTICATED', message: 'A token is needed.' } };
    for (let i = 0; i < 1200; i++) await answered({ ...strange, clientAddress: `10.0.${i >> 8}.${i & 255}` }, { statusCode: 401 });
    const known = {
      ...request,
      clientAddress: '10.1.0.1',
      caller: { kind: 'cluster', id: 1, name: 'x', tokenId: 7 },
      body: new Uint8Array(),
    };
    refused.elements(known as never, [{ index: 0, reason: 'no' }]);
    await refused.onApplicationShutdown();
    const codes = kept.flat().map(({ code }) => code);
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(50);
    expect(codes.at(-1)).toBe('BAD_ELEMENT');
  });

  it('is dropped by age', async () => {
    const { pool } = casebook.database;
    await pool.query(
      `UPDATE rejected_input SET last_at = now() - interval '8 days' WHERE cluster_name = 'pages' AND user_agent <> 'agent a'`,
    );
    expect(await casebook.app.get(RejectedRepository).dropOld(7)).toBe(4);
    expect((await listed('pages')).nodes.map(({ userAgent }) => userAgent)).toEqual(['agent a']);
  });

  it('is written before the service stops', async () => {
    const config = parseConfig({ PORT: '0', DATABASE_URL: casebook.database.url, CASEBOOK_DATABASE_POOL: '3' });
    const folders = { knowledge: resolve('test/support/knowledge'), migrations: resolve('prisma/migrations') };
    const other = await startCasebook({ config, logger: createLogger('silent'), folders });
    const { status } = await fetch(`${other.url}/v1/clusters/pages/events`, { method: 'POST', body: 'last words' });
    await other.stop();
    expect(status).toBe(400);
    expect((await listed('pages')).nodes[0]).toMatchObject({ sample: 'last words' });
  });

  it('waits for a database that does not answer, and is counted when it does not fit', async () => {
    const kept: NewRejected[][] = [];
    let away = true;
    const repository = {
      keep: (list: NewRejected[]) => (away ? Promise.reject(new DatabaseUnavailableError('gone')) : Promise.resolve(kept.push(list) && 0)),
    };
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line: string) => void lines.push(line) });
    const refused = new RefusedInput(repository as never, casebook.app.get(Clock), undefined as never, logger, new Metrics());
    const request = {
      headers: {},
      query: {},
      params: { cluster: 'x' },
      clientAddress: '::1',
      caller: { kind: 'anonymous' },
      body: new Uint8Array(),
    } as never;
    refused.elements(request, [{ index: 0, reason: 'no' }]);
    await refused.flush();
    refused.elements(request, [{ index: 0, reason: 'no' }]);
    away = false;
    await refused.onApplicationShutdown();
    expect(kept.flat()).toMatchObject([{ cluster: 'x', reason: 'no', count: 2 }]);
    expect(lines).toEqual([]);
  });

  it('is told in the log by nobody but the one who looks', () => {
    expect(casebook.logged.filter((line) => /refused input/.test(line))).toEqual([]);
  });
});

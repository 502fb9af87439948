import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const WRONG = `cb_${'x'.repeat(43)}`;
const GRAPHQL = { body: '{"query":"{ clusters { name } }"}', headers: { 'content-type': 'application/json' } };

describe('access with required tokens', () => {
  let casebook: TestCasebook;
  let prod: string;
  let test: string;

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
    prod = await casebook.register('prod');
    test = await casebook.register('test');
  });
  afterAll(() => casebook?.stop());

  const tokens = (): Record<string, string | undefined> => ({ none: undefined, wrong: WRONG, admin: ADMIN_TOKEN, prod, test });

  it.each([
    // method, path, status without a token, with a wrong one, the admin's, that of prod, that of test
    ['POST', '/v1/clusters/prod/events', 401, 401, 200, 200, 403],
    ['PUT', '/v1/clusters/prod/events', 401, 401, 200, 200, 403],
    ['HEAD', '/v1/clusters/prod/events', 401, 401, 200, 200, 403],
    ['OPTIONS', '/v1/clusters/prod/events', 204, 204, 204, 204, 204],
    ['POST', '/v1/clusters/nowhere/events', 401, 401, 404, 404, 404],
    ['POST', '/v1/diagnose', 401, 401, 200, 200, 200],
    ['GET', '/v1/problems', 401, 401, 200, 403, 403],
    ['GET', '/v1/codes/E4011', 401, 401, 200, 403, 403],
    ['GET', '/v1/clusters', 401, 401, 200, 403, 403],
    ['POST', '/v1/clusters', 401, 401, 400, 403, 403],
    ['GET', '/metrics', 401, 401, 200, 403, 403],
    ['POST', '/graphql', 401, 401, 200, 403, 403],
    ['GET', '/healthz', 200, 200, 200, 200, 200],
    ['GET', '/readyz', 200, 200, 200, 200, 200],
    ['GET', '/docs', 200, 200, 200, 200, 200],
    ['GET', '/problems', 200, 200, 200, 200, 200],
    ['GET', '/problems/tke/ingress/E4011', 200, 200, 200, 200, 200],
    ['GET', '/v1/guides', 401, 401, 200, 403, 403],
    ['GET', '/v1/exit-codes/137', 401, 401, 404, 403, 403],
    ['GET', '/openapi.json', 200, 200, 200, 200, 200],
    ['GET', '/nowhere', 404, 404, 404, 404, 404],
  ])('%s %s', async (method, path, ...statuses) => {
    const options =
      path === '/graphql' ? GRAPHQL : ['POST', 'PUT'].includes(method) ? { body: path === '/v1/clusters' ? {} : e4011() } : {};
    const seen = [];
    for (const token of Object.values(tokens())) seen.push((await casebook.send(method, path, { ...options, token })).status);
    expect(seen).toEqual(statuses);
  });

  it('tells how to do better, in the form of the door that was used', async () => {
    const rest = await casebook.send('GET', '/v1/problems');
    expect(rest.headers.get('www-authenticate')).toBe('Bearer');
    expect(rest.body.error).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('Authorization: Bearer'),
      requestId: rest.headers.get('x-request-id'),
    });
    const graphql = await casebook.send('POST', '/graphql', { ...GRAPHQL, token: prod });
    expect(graphql).toMatchObject({ status: 403, body: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } });
    const basic = await casebook.send('GET', '/v1/problems', { headers: { authorization: 'Basic YTpi' } });
    expect(basic.status).toBe(401);
  });

  it('shows the explorer page, but nothing of the data, to anybody', async () => {
    const page = await casebook.send('GET', '/graphql', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>Casebook</title>');
    expect((await casebook.send('GET', '/graphql?query={clusters{name}}', { headers: { accept: 'text/html' } })).status).toBe(401);
  });

  it('keeps no token, only its hash', async () => {
    const { rows } = await casebook.database.pool.query<{ hash: Buffer }>('SELECT hash FROM cluster_token');
    expect(rows.map(({ hash }) => hash.length)).toEqual([32, 32]);
    expect(JSON.stringify(rows.map(({ hash }) => hash.toString('latin1')))).not.toContain(prod);
    expect(prod).toMatch(/^cb_[\w-]{43}$/);
  });

  it('asks the database for a token once in a while only', async () => {
    const { pool } = casebook.database;
    await casebook.post('prod', e4011(), prod);
    await pool.query('DELETE FROM cluster_token WHERE cluster_id = (SELECT id FROM cluster WHERE name = $1)', ['prod']);
    expect((await casebook.post('prod', e4011(), prod)).status).toBe(200);
  });

  it('writes no token into its log', async () => {
    await casebook.send('POST', `/v1/clusters/prod/events?token=${prod}`, { body: '{', token: prod });
    expect(casebook.logged.join('')).not.toContain(prod);
  });
});

describe('access without tokens', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_AUTH: 'none', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());

  it.each([
    ['POST', '/v1/clusters/prod/events', 200, 401, 200],
    ['POST', '/v1/diagnose', 200, 401, 200],
    ['GET', '/v1/problems', 200, 401, 200],
    ['GET', '/v1/clusters', 200, 401, 200],
    ['GET', '/metrics', 200, 401, 200],
    ['POST', '/graphql', 200, 401, 200],
  ])('%s %s needs none, but refuses a wrong one', async (method, path, ...statuses) => {
    const options = path === '/graphql' ? GRAPHQL : method === 'POST' ? { body: e4011() } : {};
    const seen = [];
    for (const token of [undefined, WRONG, ADMIN_TOKEN]) seen.push((await casebook.send(method, path, { ...options, token })).status);
    expect(seen).toEqual(statuses);
  });
});

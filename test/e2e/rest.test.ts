import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openApi } from '../../src/api/rest/openapi.js';
import { Clock } from '../../src/platform/clock.js';
import { coreEvent, e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

describe('REST', () => {
  let casebook: TestCasebook;
  const get = (path: string, headers: Record<string, string> = {}) => casebook.send('GET', path, { headers });

  beforeAll(async () => {
    casebook = await startTestCasebook();
  });
  afterAll(() => casebook?.stop());

  it('diagnoses without storing', async () => {
    const events = [e4011(), coreEvent({ message: 'all is well' }), 'nonsense'];
    const { status, body } = await casebook.send('POST', '/v1/diagnose?provider=tke', { body: events });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      {
        index: 0,
        diagnoses: [
          {
            problem: 'tke/ingress/E4011',
            title: 'TLS Secret holds no certificate ID',
            confidence: expect.any(Number),
            matchedOn: expect.stringContaining('code E4011'),
            captured: { secret: 'web-tls' },
            severity: 'error',
            checks: [{ run: 'kubectl get secret web-tls -n shop -o yaml', look: 'No qcloud_cert_id in web-tls confirms it.' }],
            remedies: ['Put the certificate id into Secret web-tls.'],
          },
        ],
      },
      { index: 1, diagnoses: [] },
    ]);
    expect(body.rejected).toEqual([{ index: 2, reason: expect.stringContaining('nonsense') }]);
    const { rows } = await casebook.database.pool.query('SELECT count(*)::int AS stored FROM event');
    expect(rows).toEqual([{ stored: 0 }]);
  });

  it('diagnoses at most 1000 events at once', async () => {
    const { status, body } = await casebook.send('POST', '/v1/diagnose', { body: '{"reason":"a"}\n'.repeat(1001) });
    expect({ status, code: body.error.code }).toEqual({ status: 413, code: 'TOO_LARGE' });
  });

  it('lets the provider decide what a text can mean', async () => {
    const diagnose = async (provider: string) =>
      (await casebook.send('POST', `/v1/diagnose?provider=${provider}`, { body: e4011() })).body.results[0].diagnoses;
    expect(await diagnose('ack')).toEqual([]);
    expect(await diagnose('TKE')).toHaveLength(1);
    expect((await casebook.send('POST', '/v1/diagnose?provider=aws', { body: e4011() })).status).toBe(400);
  });

  it('answers in the language that is asked for, then in that of the caller', async () => {
    const titleOf = async (query: string, languages = '') =>
      (await get(`/v1/problems/tke/ingress/E4011${query}`, { 'accept-language': languages })).body.title;
    const [en, zh] = ['TLS Secret holds no certificate ID', 'TLS 引用的 Secret 中没有证书 ID'];
    expect(await titleOf('')).toBe(en);
    expect(await titleOf('?locale=zh')).toBe(zh);
    expect(await titleOf('', 'zh-CN,zh;q=0.9,en;q=0.8')).toBe(zh);
    expect(await titleOf('?locale=EN', 'zh')).toBe(en);
    expect((await get('/v1/problems?locale=fr')).status).toBe(400);
  });

  it('shows a problem by its id, with slashes as they are or encoded', async () => {
    const { body } = await get('/v1/problems/tke/ingress/E4011');
    expect(body).toMatchObject({
      id: 'tke/ingress/E4011',
      code: 'E4011',
      risk: 'sync-blocked',
      clears: 'event EnsureServiceSuccess of the same object',
      causes: [{ checks: [{ run: 'kubectl get secret {secret} -n {namespace} -o yaml' }] }],
      related: [{ id: 'tke/ingress/E4010', as: 'similar' }],
    });
    expect((await get('/v1/problems/tke%2Fingress%2FE4011')).body).toEqual(body);
    expect(await get('/v1/problems/tke/ingress/E9999')).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect((await get('/v1/problems/toString')).status).toBe(404);
  });

  it('pages problems by key', async () => {
    const seen: string[] = [];
    for (let after = ''; ;) {
      const { body } = await get(`/v1/problems?first=2${after && `&after=${after}`}`);
      expect(body.totalCount).toBe(5);
      seen.push(...body.nodes.map(({ id }: { id: string }) => id));
      if (!body.pageInfo.hasNextPage) break;
      after = body.pageInfo.endCursor;
    }
    expect(seen).toEqual([
      'kubernetes/container/crash-loop',
      'kubernetes/image/not-found',
      'tke/ingress/E4010',
      'tke/ingress/E4011',
      'tke/service/E4011',
    ]);
    expect((await get('/v1/problems?first=0')).body.error.code).toBe('BAD_INPUT');
    expect((await get('/v1/problems?first=x')).body.error.code).toBe('BAD_INPUT');
    expect((await get('/v1/problems?after=x')).body.error.code).toBe('BAD_CURSOR');
  });

  it('searches problems in both languages, by code and by id', async () => {
    const found = async (query: string) => (await get(`/v1/problems?${query}`)).body.nodes.map(({ id }: { id: string }) => id);
    expect(await found('search=e4011')).toEqual(['tke/ingress/E4011', 'tke/service/E4011']);
    expect(await found(`search=${encodeURIComponent('监听器')}`)).toEqual(['tke/service/E4011']);
    expect(await found('search=ingress%20CERTIFICATE')).toEqual(['tke/ingress/E4011']);
    expect(await found('provider=kubernetes&area=image')).toEqual(['kubernetes/image/not-found']);
    expect(await found('search=nothing-like-it')).toEqual([]);
  });

  it('tells what a code means for each kind', async () => {
    const found = async (path: string) => (await get(path)).body.problems.map(({ id }: { id: string }) => id);
    expect(await found('/v1/codes/e4011')).toEqual(['tke/ingress/E4011', 'tke/service/E4011']);
    expect(await found('/v1/codes/E4011?kind=service&provider=tke')).toEqual(['tke/service/E4011']);
    expect(await found('/v1/codes/E0000')).toEqual([]);
  });

  it('registers and lists clusters', async () => {
    const answer = await casebook.send('POST', '/v1/clusters', {
      body: { name: 'prod-1', provider: 'TKE_SERVERLESS', region: 'ap-guangzhou', labels: { team: 'shop' } },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        cluster: { name: 'prod-1', provider: 'tke-serverless', region: 'ap-guangzhou', labels: { team: 'shop' }, lastHeardAt: null },
        token: expect.stringMatching(/^cb_/),
      },
    });
    expect((await casebook.send('POST', '/v1/clusters', { body: { name: 'prod-1' } })).body.error.code).toBe('CONFLICT');
    const health = expect.objectContaining({ status: 'NEVER_HEARD' });
    expect((await get('/v1/clusters')).body.clusters).toEqual([{ ...answer.body.cluster, health }]);
    expect((await get('/v1/clusters/prod-1')).body).toEqual({ ...answer.body.cluster, health, gaps: [] });
    expect((await get('/v1/clusters/prod-2')).status).toBe(404);
    for (const body of [
      '[]',
      '{',
      '',
      { name: '' },
      { name: 'a b' },
      { name: 'x', provider: 'aws' },
      { name: 'x', provider: 'casebook' },
      { name: 'x', labels: { a: 1 } },
      { name: 'x', region: 'a\0b' },
    ]) {
      expect((await casebook.send('POST', '/v1/clusters', { body })).body.error.code, JSON.stringify(body)).toBe('BAD_INPUT');
    }
    await casebook.post('prod-1', e4011());
    expect(Date.parse((await get('/v1/clusters/prod-1')).body.lastHeardAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('tells how it is', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    const metrics = await get('/metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(metrics.body).toContain('casebook_intake_events_total{cluster="prod-1",result="accepted"} 1');
    await casebook.database.pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_create_casebook'`);
    // What was found out is told for a second.
    const clock = vi.spyOn(casebook.app.get(Clock), 'now').mockReturnValue(Date.now() + 1_000);
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: { missing: expect.arrayContaining([expect.stringMatching(/^the migration \d+_\w+ is not applied$/)]) },
    });
    clock.mockRestore();
    await casebook.database.pool.query(`UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL`);
  });

  it('answers an unknown address in JSON, under the id of the request', async () => {
    const answer = await get('/v2/nothing?secret=1', { 'x-request-id': 'my-id.1' });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND', requestId: 'my-id.1' } } });
    expect(answer.headers.get('x-request-id')).toBe('my-id.1');
    expect((await get('/', { 'x-request-id': 'not good\u00e9' })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('documents every route, and nothing else', async () => {
    const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        // Every GET also answers HEAD; where HEAD means something of its own, it is documented besides.
        .filter((method) => method !== 'head' || !Object.hasOwn(methods, 'get'))
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    const tree = (casebook.app.getHttpAdapter().getInstance() as { printRoutes(options: object): string }).printRoutes({
      commonPrefix: false,
    });
    expect(documented.sort()).toEqual(routesOf(tree).sort());
    expect((await get('/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(openApi)));
    const ids = Object.values(openApi.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers to schemas that exist', () => {
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(references.filter((name) => !Object.hasOwn(openApi.components.schemas, name))).toEqual([]);
  });

  it('shows its contract as a page that asks no other host', async () => {
    const { status, body, headers } = await get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(body).toContain('/v1/diagnose');
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});

/** Reads the router's own drawing of its tree. */
function routesOf(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const [, indent = '', part = '', methods = ''] = found;
    const depth = indent.length / 4;
    const path = `${depth > 0 ? parents[depth - 1]! : ''}${part}`;
    parents[depth] = path;
    const listed = methods.split(', ').filter(Boolean);
    // Every GET also answers HEAD.
    return listed
      .filter((method) => method !== 'HEAD' || !listed.includes('GET'))
      .map((method) => `${method} ${path.replace(/:\w+(\|:\w+)*/g, '{}')}`);
  });
}

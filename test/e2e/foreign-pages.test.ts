import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { e4011 } from '../support/core-event.js';
import { CHANGES, subscribe } from '../support/live-client.js';
import { rawRequest } from '../support/raw-request.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const EVIL = { origin: 'https://attacker.example' };

/** Sends a request with exactly these headers, as a browser or a program would; returns the status and what was answered. */
function ask({ url }: TestCasebook, line: string, headers: Record<string, string>, body = ''): Promise<{ status: number; text: string }> {
  const all = { Host: new URL(url).host, Connection: 'close', 'Content-Length': String(body.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawRequest(url, `${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}

describe('without tokens, on a loopback address', () => {
  let casebook: TestCasebook;
  let port: string;

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_AUTH: 'none', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
    await casebook.register('prod');
    port = new URL(casebook.url).port;
  });
  afterAll(() => casebook?.stop());

  it.each<[string, Record<string, string>]>([
    ['an origin', EVIL],
    ['an origin that is none', { origin: 'null' }],
    ['what the browser knows of the page', { 'sec-fetch-site': 'cross-site' }],
  ])('lets no page of another origin change anything, told by %s', async (_name, headers) => {
    const form = { 'Content-Type': 'text/plain', ...headers };
    const refused = await ask(casebook, 'POST /v1/clusters', form, '{"name":"planted"}');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('"code":"FORBIDDEN"');
    expect(refused.text).toContain('A page of another origin needs a token');
    expect((await ask(casebook, 'POST /v1/clusters/prod/events', form, JSON.stringify(e4011()))).status).toBe(403);
    expect(
      (await ask(casebook, 'POST /graphql', { ...headers, 'Content-Type': 'application/json' }, '{"query":"{ __typename }"}')).status,
    ).toBe(403);
    const { data } = await casebook.graphql('{ clusters { name } incidents { totalCount } }');
    expect(data).toEqual({ clusters: [{ name: 'prod' }], incidents: { totalCount: 0 } });
  });

  it('tells nothing to a page whose name leads to this machine', async () => {
    const rebound = { Host: `attacker.example:${port}` };
    const refused = await ask(casebook, 'GET /v1/clusters', rebound);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('ask for it as localhost or 127.0.0.1');
    const own = { ...rebound, Origin: `http://attacker.example:${port}`, 'Content-Type': 'application/json' };
    expect((await ask(casebook, 'POST /graphql', own, '{"query":"{ clusters { name } }"}')).status).toBe(403);
    const socket = await subscribe(casebook.url, CHANGES, { headers: { host: rebound.Host, origin: own.Origin } });
    expect(await socket.outcome()).toMatchObject({ code: 4403, reason: expect.stringContaining('localhost') });
  });

  it('goes on for programs, for its own pages, for links and for whoever has a token', async () => {
    for (const host of ['localhost', `localhost:${port}`, `casebook.localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect((await ask(casebook, 'GET /metrics', { Host: host })).status, host).toBe(200);
    expect((await ask(casebook, 'POST /v1/clusters/prod/events', {}, '[]')).status).toBe(200);
    const page = { Origin: casebook.url, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
    expect((await ask(casebook, 'POST /graphql', page, '{"query":"{ clusters { name } }"}')).status).toBe(200);
    expect((await ask(casebook, 'GET /v1/clusters', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
    expect((await ask(casebook, 'GET /readyz', { Host: 'pod.example' })).status).toBe(200);
    const token = { Host: 'casebook.example', Authorization: `Bearer ${ADMIN_TOKEN}`, ...EVIL };
    expect((await ask(casebook, 'POST /v1/diagnose', token, '[]')).status).toBe(200);
  });
});

describe('without tokens, on an address that others reach', () => {
  it('answers to any name, but to no page of another origin', async () => {
    const casebook = await startTestCasebook({ CASEBOOK_AUTH: 'none', HOST: '0.0.0.0' });
    try {
      const Host = 'casebook.example';
      expect((await ask(casebook, 'GET /v1/clusters', { Host })).status).toBe(200);
      expect((await ask(casebook, 'POST /v1/diagnose', { Host, Origin: `https://${Host}` }, '[]')).status).toBe(200);
      expect((await ask(casebook, 'POST /v1/diagnose', { Host, ...EVIL }, '[]')).status).toBe(403);
    } finally {
      await casebook.stop();
    }
  });
});

describe('a token that a browser sends by itself', () => {
  it('is none for a page of another origin', async () => {
    const casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
    try {
      const basic = { Authorization: `Basic ${Buffer.from(`me:${ADMIN_TOKEN}`).toString('base64')}` };
      expect((await ask(casebook, 'POST /v1/clusters', { ...basic, ...EVIL }, '{"name":"planted"}')).status).toBe(403);
      expect((await ask(casebook, 'POST /v1/clusters', basic, '{"name":"prod"}')).status).toBe(201);
      expect((await casebook.graphql('{ clusters { name } }')).data).toEqual({ clusters: [{ name: 'prod' }] });
    } finally {
      await casebook.stop();
    }
  });
});

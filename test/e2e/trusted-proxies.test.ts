import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TokenCheck } from '../../src/ingest/token-check.service.js';
import { Clock } from '../../src/platform/clock.js';
import { e4011 } from '../support/core-event.js';
import { CHANGES, subscribe } from '../support/live-client.js';
import { makeKey, OidcIssuer } from '../support/oidc-issuer.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

const AUTH = { CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN };
/** As long as an admin token may be short. */
const WRONG = 'wrong-token-of-nobody';

/** Starts a service whose clock stands still, so that nobody's wrong tokens are forgotten while the test runs. */
async function start(env: Record<string, string>): Promise<TestCasebook> {
  const casebook = await startTestCasebook({ ...AUTH, ...env });
  const at = Date.now();
  vi.spyOn(casebook.app.get(Clock), 'now').mockImplementation(() => at);
  return casebook;
}

/** Sends a wrong token through a proxy that tells where it came from. */
async function sendFrom({ url }: TestCasebook, forwarded: string, path = '/v1/problems', signal?: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${WRONG}`, 'x-forwarded-for': forwarded };
  const { status } = await fetch(new URL(path, url), { headers, ...(signal && { signal }) });
  return status;
}

/** Sends wrong tokens, each as from `of(i)`, until no more are looked at. */
async function attack(casebook: TestCasebook, of: (i: number) => string): Promise<void> {
  const statuses: number[] = [];
  const leave = new AbortController();
  // 100 are looked at, five wait for up to ten seconds, and the next ones have no turn.
  for (let i = 0; i < 107; i++)
    void sendFrom(casebook, of(i), undefined, leave.signal).then(
      (status) => statuses.push(status),
      () => undefined,
    );
  await waitUntil(
    () => statuses.length,
    (count) => count >= 102,
  );
  expect(statuses.toSorted()).toEqual([...Array<number>(100).fill(401), 503, 503]);
  // Those that wait need not be waited for.
  leave.abort();
}

describe('a service behind a trusted proxy', () => {
  let casebook: TestCasebook;
  let issuer: OidcIssuer;

  beforeAll(async () => {
    issuer = await new OidcIssuer().start();
    casebook = await start({
      CASEBOOK_TRUSTED_PROXIES: '127.0.0.1',
      CASEBOOK_OIDC_ISSUER: issuer.url,
      CASEBOOK_OIDC_AUDIENCE: 'casebook',
      CASEBOOK_OIDC_ROLE_MAPPING: '*=viewer',
      LOG_LEVEL: 'info',
    });
  });
  afterAll(async () => {
    await casebook?.stop();
    await issuer?.stop();
    vi.restoreAllMocks();
  });

  it('slows down whoever sends wrong tokens, and nobody else behind the same proxy', async () => {
    await attack(casebook, () => '203.0.113.5');
    expect(await sendFrom(casebook, '203.0.113.6')).toBe(401);
    // The same by other doors.
    const token = { authorization: `Bearer ${WRONG}` };
    for (const [forwarded, status, code] of [
      ['203.0.113.5', 503, 1013],
      ['203.0.113.6', 401, 4401],
    ] as const) {
      expect(await sendFrom(casebook, forwarded, '/v1/incidents/changes')).toBe(status);
      const socket = await subscribe(casebook.url, CHANGES, { params: token, headers: { 'x-forwarded-for': forwarded } });
      expect(await socket.outcome()).toMatchObject({ code });
    }
  });

  it('does not believe what stands before the address that the proxy saw', async () => {
    await attack(casebook, (i) => `198.51.100.${i}, 192.0.2.7`);
    for (const forwarded of ['198.51.100.250, 192.0.2.7', '127.0.0.1, 192.0.2.7', 'x, 192.0.2.7', '192.0.2.7:4711', '192.0.2.7, 127.0.0.1'])
      expect([forwarded, await sendFrom(casebook, forwarded)]).toEqual([forwarded, 503]);
    expect(await sendFrom(casebook, '192.0.2.7, 192.0.2.8')).toBe(401);
  });

  it('takes a network of IPv6 for one client', async () => {
    await attack(casebook, (i) => `2001:db8:0:7::${i.toString(16)}`);
    expect(await sendFrom(casebook, '2001:db8::7:ffff:0:0:1')).toBe(503);
    expect(await sendFrom(casebook, '2001:db8:0:8::1')).toBe(401);
  });

  it('names the client in the log and beside refused input', async () => {
    await casebook.register('logged');
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.77', 'x-request-id': 'who-was-it' };
    expect((await casebook.send('POST', '/v1/clusters/logged/events', { body: '{', token: ADMIN_TOKEN, headers })).status).toBe(400);
    const line = await waitUntil(
      () => casebook.logged.map((text) => JSON.parse(text)).find(({ requestId, msg }) => requestId === 'who-was-it' && msg === 'request'),
      Boolean,
    );
    expect(line).toMatchObject({ client: '203.0.113.77', status: 400 });
    const { body } = await waitUntil(
      () => casebook.send('GET', '/v1/clusters/logged/rejected', { token: ADMIN_TOKEN }),
      (answer) => answer.body.totalCount > 0,
    );
    expect(body.nodes[0].address).toBe('203.0.113.77');
  });

  it('looks at once at tokens that nobody can guess, however many wrong ones come from everywhere', async () => {
    const ofCluster = await casebook.register('new');
    const made = await casebook.graphql('mutation { createApiToken(input: { name: "new", role: VIEWER }) { token } }');
    const rsa = await makeKey('RS256', 'rsa-1');
    issuer.keys = [rsa];
    const signed = await issuer.sign(rsa);
    // 2,000 are looked at, 500 wait.
    const check = casebook.app.get(TokenCheck);
    const wrong = Array.from({ length: 2_600 }, (_, i) => check.callerOf(`${WRONG}-${i}`, `10.0.${i >> 8}.${i & 255}`));
    for (const each of wrong) each.catch(() => undefined);
    expect(await sendFrom(casebook, '203.0.113.200')).toBe(503);

    // A signature cannot be guessed, so it is looked at even from an address that has no turn left.
    expect((await casebook.send('GET', '/v1/clusters', { token: signed, headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(200);
    expect((await casebook.send('GET', '/v1/clusters', { token: made.data['createApiToken'].token })).status).toBe(200);
    expect((await casebook.post('new', e4011(), ofCluster)).status).toBe(200);
  });

  it('has connections to the database left while unknown tokens are looked up', async () => {
    const known = await casebook.register('known');
    expect((await casebook.post('known', e4011({ uid: 'first' }), known)).status).toBe(200);
    const { pool } = casebook.database;
    const waiting = async (): Promise<number> =>
      (await pool.query(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
        .rows[0].n;
    const holder = await pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE cluster_token');
      const unknown = Array.from({ length: 20 }, (_, i) =>
        casebook.send('GET', '/v1/problems', {
          token: `cb_${String(i).padStart(43, 'w')}`,
          headers: { 'x-forwarded-for': `192.0.2.${100 + i}` },
        }),
      );
      await waitUntil(waiting, (count) => count === 2);
      // Three connections are for such work and for this.
      expect((await casebook.post('known', e4011({ uid: 'second' }), known)).status).toBe(200);
      expect(await waiting()).toBe(2);
      await holder.query('COMMIT');
      for (const { status } of await Promise.all(unknown)) expect(status).toBe(401);
    } finally {
      holder.release(true);
    }
  });
});

describe('a service without trusted proxies', () => {
  it('does not believe anybody', async () => {
    const casebook = await start({});
    try {
      await attack(casebook, (i) => `203.0.113.${i}`);
      expect(await sendFrom(casebook, '198.51.100.1')).toBe(503);
    } finally {
      await casebook.stop();
      vi.restoreAllMocks();
    }
  });

  it('is not started by a wrong list of them', async () => {
    await expect(startTestCasebook({ CASEBOOK_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/99' })).rejects.toThrow(
      'CASEBOOK_TRUSTED_PROXIES: "10.0.0.0/99" is no address',
    );
  });
});

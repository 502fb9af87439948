import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../src/platform/clock.js';
import type { IssuerKey, SignOptions } from '../support/oidc-issuer.js';
import { makeKey, OidcIssuer, publicText } from '../support/oidc-issuer.js';
import { subscribe } from '../support/live-client.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const NOW = (): number => Math.floor(Date.now() / 1000);
const withRole = (...groups: string[]): SignOptions => ({ claims: { realm_access: { roles: groups }, clusters: '*', namespaces: '*' } });

let issuer: OidcIssuer;
let casebook: TestCasebook;
let rsa: IssuerKey;

beforeAll(async () => {
  issuer = await new OidcIssuer().start();
  rsa = await makeKey('RS256', 'rsa-1');
  issuer.keys = [rsa, await makeKey('ES256', 'ec-1'), await makeKey('EdDSA', 'ed-1'), await makeKey('PS512', 'pss-1')];
  casebook = await startTestCasebook({
    CASEBOOK_AUTH: 'required',
    CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
    CASEBOOK_OIDC_ISSUER: issuer.url,
    CASEBOOK_OIDC_AUDIENCE: 'casebook, portal',
    CASEBOOK_OIDC_ROLE_CLAIM: 'realm_access.roles',
    CASEBOOK_OIDC_ROLE_MAPPING: 'sre=admin,oncall=operator,staff=viewer',
    CASEBOOK_OIDC_CLUSTERS_CLAIM: 'clusters',
    CASEBOOK_OIDC_NAMESPACES_CLAIM: 'namespaces',
  });
  for (const name of ['prod', 'test']) await casebook.register(name);
});
afterAll(async () => {
  await casebook?.stop();
  await issuer?.stop();
});
afterEach(() => vi.restoreAllMocks());

const ask = (token: string): Promise<Answer> => casebook.send('GET', '/v1/clusters', { token });
/** Makes Casebook's clock go by some seconds. */
function later(seconds: number): void {
  const at = Date.now() + seconds * 1000;
  vi.spyOn(casebook.app.get(Clock), 'now').mockImplementation(() => at);
}
const keysAsked = (): number => issuer.asked.filter((path) => path === '/realm/keys').length;

describe('tokens of an OpenID Connect issuer', () => {
  it('are good with every kind of key that it tells', async () => {
    for (const key of issuer.keys) {
      const answer = await ask(await issuer.sign(key, withRole('staff')));
      expect([key.alg, answer.status]).toEqual([key.alg, 200]);
      expect(answer.body.clusters.map(({ name }: { name: string }) => name)).toEqual(['prod', 'test']);
    }
    expect((await ask(await issuer.sign(rsa, { ...withRole('staff'), audience: ['other', 'portal'] }))).status).toBe(200);
  });

  it('give the role and the scope that their claims stand for', async () => {
    const suspend = async (claims: object): Promise<string | undefined> => {
      const token = await issuer.sign(rsa, { claims: { clusters: '*', namespaces: '*', ...claims } });
      const { body } = await casebook.send('POST', '/graphql', {
        body: { query: 'mutation { suspendCluster(name: "test") { name } }' },
        headers: { 'content-type': 'application/json' },
        token,
      });
      return body.errors?.[0].extensions.code;
    };
    expect(await suspend({ realm_access: { roles: ['staff'] } })).toBe('FORBIDDEN');
    expect(await suspend({ realm_access: { roles: ['oncall', 'staff'] } })).toBe('FORBIDDEN');
    expect(await suspend({ realm_access: { roles: ['sre'] }, clusters: ['prod'] })).toBe('NOT_FOUND');
    expect(await suspend({ realm_access: { roles: ['sre'] }, namespaces: ['shop'] })).toBe('FORBIDDEN');
    expect(await suspend({ realm_access: { roles: ['sre'] }, clusters: ['test'] })).toBeUndefined();
    const { data } = await casebook.graphql('{ auditLog(first: 1) { nodes { actor actorName action target outcome before after } } }');
    expect(data['auditLog'].nodes[0]).toMatchObject({
      actor: 'oidc:user-1',
      actorName: 'mia',
      action: 'suspendCluster',
      target: 'test',
      outcome: 'DONE',
      before: { suspendedAt: null },
      after: { suspendedAt: expect.any(String) },
    });
    const nothing = await ask(await issuer.sign(rsa, { claims: { realm_access: { roles: ['staff'] } } }));
    expect(nothing.body).toEqual({ clusters: [] });
  });

  it('need a role', async () => {
    const { status, body } = await ask(await issuer.sign(rsa, withRole('others')));
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toContain('"realm_access.roles"');
  });

  it('open subscriptions too', async () => {
    const token = await issuer.sign(rsa, withRole('staff'));
    const good = await subscribe(casebook.url, undefined, { params: { authorization: `Bearer ${token}` } });
    expect(good.ended).toBeUndefined();
    await good.close();
    const none = await subscribe(casebook.url, undefined, {
      params: { authorization: `Bearer ${await issuer.sign(rsa, withRole('others'))}` },
    });
    expect(await none.outcome()).toMatchObject({ code: 4403 });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['of another issuer', () => issuer.sign(rsa, { ...withRole('sre'), issuer: 'https://other.example' }), /"iss"/],
    ['of the issuer with a slash more', () => issuer.sign(rsa, { ...withRole('sre'), issuer: `${issuer.url}/` }), /"iss"/],
    ['for somebody else', () => issuer.sign(rsa, { ...withRole('sre'), audience: 'other' }), /"aud"/],
    ['that has expired', () => issuer.sign(rsa, { ...withRole('sre'), expires: NOW() - 120 }), /has expired/],
    ['that never expires', () => issuer.sign(rsa, { ...withRole('sre'), expires: null }), /no claim "exp"/],
    ['that is not valid yet', () => issuer.sign(rsa, { ...withRole('sre'), notBefore: NOW() + 120 }), /not valid yet/],
    ['of a key that nobody knows', async () => issuer.sign(await makeKey('RS256', 'rsa-9'), withRole('sre')), /no such key/],
    [
      'signed with another key of the same name',
      async () => issuer.sign(await makeKey('RS256', 'rsa-1'), withRole('sre')),
      /signature is wrong/,
    ],
    [
      'signed with a key of another algorithm',
      async () => issuer.sign({ ...(await makeKey('PS256', 'rsa-1')) }, withRole('sre')),
      /no such key/,
    ],
    ['without a signature', () => forged({ alg: 'none', kid: 'rsa-1' }, async () => ''), /signed with one of/],
    ['without a signature, in capitals', () => forged({ alg: 'NONE' }, async () => ''), /signed with one of/],
    [
      'signed with the public key as a secret',
      () =>
        forged({ alg: 'HS256', kid: 'rsa-1' }, async (text) =>
          createHmac('sha256', await publicText(rsa))
            .update(text)
            .digest('base64url'),
        ),
      /signed with one of/,
    ],
    [
      'that carries its own key',
      async () => forged({ alg: 'RS256', jwk: (await makeKey('RS256', 'x')).jwk }, async () => 'AAAA'),
      /signature is wrong|damaged/,
    ],
    ['with a demand that nobody knows', () => forged({ alg: 'RS256', kid: 'rsa-1', crit: ['x'], x: 1 }, async () => 'AAAA'), /damaged/],
    ['that is no JSON', async () => 'AAAA.BBBB.CCCC', /not known/],
  ])('are refused when it is one %s', async (_what, make, message) => {
    const { status, body } = await ask(await make());
    expect([status, body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(body.error.message).toMatch(message);
  });

  it('may come from a clock that is off by less than a minute', async () => {
    expect((await ask(await issuer.sign(rsa, { ...withRole('staff'), expires: NOW() - 30 }))).status).toBe(200);
    expect((await ask(await issuer.sign(rsa, { ...withRole('staff'), notBefore: NOW() + 30 }))).status).toBe(200);
  });

  it('are good with a new key, and unknown keys do not make the issuer be asked again and again', async () => {
    later(40);
    const next = await makeKey('RS256', 'rsa-2');
    issuer.keys = [rsa, next];
    const before = keysAsked();
    expect((await ask(await issuer.sign(next, withRole('staff')))).status).toBe(200);
    const unknown = await makeKey('RS256', 'rsa-unknown');
    for (let i = 0; i < 10; i++) {
      expect((await ask(await issuer.sign(unknown, { ...withRole('sre'), kid: `rsa-unknown-${i}` }))).status).toBe(401);
    }
    expect(keysAsked()).toBe(before + 1);
    expect((await ask(await issuer.sign(next, withRole('staff')))).status).toBe(200);
  });

  it('stay good with known keys while the issuer is down; unknown ones cannot be judged', async () => {
    later(100);
    issuer.down = true;
    try {
      expect((await ask(await issuer.sign(rsa, withRole('staff')))).status).toBe(200);
      const unknown = await issuer.sign(await makeKey('RS256', 'rsa-3'), withRole('staff'));
      const before = issuer.asked.length;
      for (let i = 0; i < 5; i++) {
        const { status, headers, body } = await ask(unknown);
        expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '10', 'BUSY']);
      }
      expect(issuer.asked.length).toBe(before + 1);
      later(3600);
      expect((await ask(await issuer.sign(rsa, { ...withRole('staff'), expires: NOW() + 7200 }))).status).toBe(200);
    } finally {
      issuer.down = false;
    }
    expect(casebook.logged.join('')).toContain('the keys of the issuer could not be read');
  });

  it('are not good any more some time after the issuer has taken their key back', async () => {
    const token = await issuer.sign(rsa, { ...withRole('staff'), expires: NOW() + 100_000 });
    issuer.keys = issuer.keys.filter(({ kid }) => kid !== rsa.kid);
    later(7200);
    // The first look makes the keys be fetched beside it.
    await ask(token);
    await vi.waitFor(async () => expect((await ask(token)).status).toBe(401));
    issuer.keys.push(rsa);
  });
});

/** A token that was put together by hand. */
async function forged(head: object, sign: (text: string) => Promise<string>): Promise<string> {
  const claims = { iss: issuer.url, aud: 'casebook', sub: 'user-1', exp: NOW() + 300, ...withRole('sre').claims };
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${await sign(text)}`;
}

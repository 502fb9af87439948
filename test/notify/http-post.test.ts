import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpPoster, TargetRefusedError } from '../../src/notify/http-post.service.js';
import type { Resolve } from '../../src/notify/http-post.service.js';
import { makeAuthority } from '../support/make-certificates.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const HERE = { networks: ['127.0.0.1/32'], hosts: [] };
const authority = makeAuthority();
const posters: HttpPoster[] = [];
let plain: WebhookReceiver;
let secure: WebhookReceiver;

beforeAll(async () => {
  plain = await WebhookReceiver.start();
  secure = await WebhookReceiver.start(authority.forServer());
});
afterAll(async () => {
  await Promise.all(posters.map((poster) => poster.close()));
  await Promise.all([plain.stop(), secure.stop()]);
});

function poster(options: Partial<ConstructorParameters<typeof HttpPoster>[0]> = {}): HttpPoster {
  const made = new HttpPoster({ allowed: HERE, timeout: 2000, ...options });
  posters.push(made);
  return made;
}

const post = (by: HttpPoster, url: string) => by.post({ url, headers: { 'content-type': 'application/json' }, body: '{}' });

/** A resolver that gives one answer after the other. */
function resolving(...answers: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (host, found) => {
    asked.push(host);
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!;
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(resolve, { asked });
}

describe('HttpPoster', () => {
  it('posts to what is allowed and reads the beginning of the answer', async () => {
    expect(await post(poster(), plain.url('/ok'))).toEqual({ status: 200, retryAfter: undefined, body: 'ok' });
    plain.behave('/huge', 'huge');
    expect((await post(poster(), plain.url('/huge'))).body).toHaveLength(4096);
  });

  it('connects to nothing inside, whether it is named by address or by a name', async () => {
    const closed = poster({ allowed: { networks: [], hosts: [] } });
    const urls = [
      plain.url('/closed'),
      `http://localhost:${plain.port}/closed`,
      `http://[::1]:${plain.port}/closed`,
      `http://127.1:${plain.port}/closed`,
    ];
    for (const url of urls) await expect(post(closed, url)).rejects.toBeInstanceOf(TargetRefusedError);
    expect(plain.of('/closed')).toEqual([]);
  });

  it('finds its target also where Node tries one address alone', async () => {
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    try {
      const url = `http://hooks.example.com:${plain.port}/one`;
      expect((await post(poster({ resolve: resolving(['127.0.0.1']) }), url)).status).toBe(200);
      await expect(post(poster({ resolve: resolving(['10.0.0.1']) }), url)).rejects.toBeInstanceOf(TargetRefusedError);
    } finally {
      setDefaultAutoSelectFamily(before);
    }
  });

  it('judges the very address that it connects to, at every connection', async () => {
    const rebinding = resolving(['127.0.0.1'], ['169.254.169.254']);
    const by = poster({ resolve: rebinding });
    plain.behave('/rebound', { status: 200, headers: { connection: 'close' } });
    const url = `http://hooks.example.com:${plain.port}/rebound`;
    expect((await post(by, url)).status).toBe(200);
    await expect(post(by, url)).rejects.toThrow('169.254.169.254 is not a public address (linkLocal)');
    expect(rebinding.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
    expect(plain.of('/rebound')).toHaveLength(1);
  });

  it('refuses a name that has one bad address among good ones', async () => {
    await expect(post(poster({ resolve: resolving(['127.0.0.1', '10.0.0.1']) }), 'https://mixed.example.com/')).rejects.toThrow('10.0.0.1');
  });

  it('uses plain http only to what is allowed by name or network', async () => {
    await expect(post(poster({ resolve: resolving(['8.8.8.8']) }), 'http://plain.example.com/')).rejects.toThrow('plain http');
    const named = poster({ allowed: { networks: [], hosts: ['hooks.internal'] }, resolve: resolving(['127.0.0.1']) });
    expect((await post(named, `http://hooks.internal:${plain.port}/named`)).status).toBe(200);
  });

  it('follows no redirect', async () => {
    plain.behave('/redirect', { status: 308, headers: { location: plain.url('/behind') } });
    expect((await post(poster(), plain.url('/redirect'))).status).toBe(308);
    expect(plain.of('/behind')).toEqual([]);
  });

  it('talks to a server whose certificate is trusted, and to no other', async () => {
    const trusting = poster({ trust: authority.certificate });
    expect((await post(trusting, secure.url('/tls'))).status).toBe(200);
    await expect(post(poster(), secure.url('/tls'))).rejects.toThrow(/certificate/i);
    const stranger = poster({ trust: authority.certificate, resolve: resolving(['127.0.0.1']) });
    await expect(post(stranger, `https://other.example.com:${secure.port}/tls`)).rejects.toThrow(/altnames|does not match/i);
    const late = await WebhookReceiver.start(authority.forServer(Date.now() - 1000));
    await expect(post(trusting, late.url('/tls'))).rejects.toThrow(/expired/);
    await late.stop();
    expect(secure.of('/tls')).toHaveLength(1);
  });

  it('gives up a request that takes too long, at its headers or without a listener', async () => {
    plain.behave('/hang', 'hang');
    await expect(post(poster({ timeout: 200 }), plain.url('/hang'))).rejects.toThrow(/timeout|aborted/i);
    plain.behave('/drip', 'drip');
    expect((await post(poster({ timeout: 300 }), plain.url('/drip'))).body).toMatch(/^\.+ \[the rest could not be read/);
    await expect(post(poster(), 'https://127.0.0.1:1/')).rejects.toThrow(/ECONNREFUSED/);
  });
});

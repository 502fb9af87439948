import { readFileSync } from 'node:fs';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../support/raw-request.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const SECRET = 'S3CRET-in-the-query';
/** Fixtures tell of 1 June; here they happened yesterday. */
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

function bodyOf(fixture: string): string {
  return readFileSync(new URL(`../events/fixtures/${fixture}`, import.meta.url), 'utf8')
    .replaceAll('2026-06-01', DAY)
    .replaceAll('1780311731000', String(Date.parse(`${DAY}T11:02:11Z`)));
}

describe('senders over HTTP', () => {
  let casebook: TestCasebook;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_AUTH: 'required', LOG_LEVEL: 'debug' });
  });
  afterAll(() => casebook?.stop());

  async function cluster(name: string, provider = 'kubernetes'): Promise<string> {
    tokens.set(name, await casebook.register(name, provider));
    return `/v1/clusters/${name}/events`;
  }
  const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}, method = 'POST'): Promise<Answer> =>
    casebook.send(method, path, { body, headers, token: tokens.get(path.split('/')[3]!) });

  async function incidentsOf(name: string): Promise<Record<string, unknown>[]> {
    const { data } = await casebook.graphql(
      `query ($clusters: [String!]) { incidents(filter: { clusters: $clusters }) { nodes {
        problem { id } subject { kind namespace name } occurrences resolvedBy events { totalCount } } } }`,
      { clusters: [name] },
      { authorization: `Bearer ${ADMIN_TOKEN}` },
    );
    return data.incidents.nodes;
  }

  const crashLoop = {
    problem: { id: 'kubernetes/container/crash-loop' },
    subject: { kind: 'Deployment', namespace: 'shop', name: 'checkout' },
    occurrences: 12,
    events: { totalCount: 1 },
  };

  it.each([
    ['event-exporter.json', 12],
    ['event-exporter-layout.json', 1],
    ['event-exporter-layout-nested.json', 12],
    ['eventrouter.syslog', 12],
    ['eventrouter-stdout.ndjson', 12],
    ['fluent-bit.json', 12],
    ['fluent-bit.ndjson', 12],
    ['vector-events.json', 12],
    ['vector-lines.ndjson', 12],
    ['kube-eventer-default.txt', 1],
    ['kube-eventer-custom.txt', 1],
    ['kube-eventer-recommended.txt', 12],
  ])('%s becomes an incident with its %i occurrences, and is harmless when it comes twice', async (fixture, occurrences) => {
    const name = fixture.replaceAll(/[^a-z]/g, '-');
    const path = await cluster(name);
    const first = await send(path, bodyOf(fixture));
    expect(first).toMatchObject({ status: 200, body: { merged: 0, rejected: [] } });
    expect(await send(path, bodyOf(fixture))).toMatchObject({ status: 200, body: { accepted: 0, merged: first.body.accepted } });
    expect(await incidentsOf(name)).toMatchObject([{ ...crashLoop, occurrences }]);
  });

  it.each(['kubectl-list.json', 'event-list.json', 'events-v1.json', 'watch.ndjson'])(
    'what Kubernetes itself writes becomes an incident, and is harmless in another shape: %s',
    async (fixture) => {
      const name = fixture.replaceAll(/[^a-z]/g, '-');
      const path = await cluster(name);
      const first = await send(path, bodyOf(fixture));
      expect(first.status).toBe(200);
      expect(await incidentsOf(name)).toMatchObject([{ ...crashLoop, occurrences: 12 }]);
      const single = (bodyOf('watch.ndjson').split('\n') as [string, string])
        .slice(0, 2)
        .map((line) => JSON.stringify((JSON.parse(line) as { object: object }).object));
      for (const body of [single[1]!, `[${single.join()}]`, single.join('\n')]) {
        expect(await send(path, body)).toMatchObject({ status: 200, body: { accepted: 0, rejected: [] } });
      }
      expect(await incidentsOf(name)).toMatchObject([{ ...crashLoop, occurrences: 12 }]);
    },
  );

  it('counts one Event once, however many senders tell of it', async () => {
    const path = await cluster('many-senders');
    const fixtures = ['eventrouter.syslog', 'event-exporter.json', 'fluent-bit.json', 'vector-events.json', 'kube-eventer-recommended.txt'];
    for (const fixture of fixtures) expect((await send(path, bodyOf(fixture))).status).toBe(200);
    expect(await incidentsOf('many-senders')).toMatchObject([crashLoop]);
  });

  it('opens an incident of some Ingress where the sender names none, which no success ends, but quiet', async () => {
    const path = await cluster('nameless', 'tke');
    const eventer = (reason: string, message: string, time: string): string =>
      `{\n"EventType": "Warning",\n"EventKind": "Ingress",\n"EventReason": "${reason}",\n"EventTime": "${DAY} ${time} +0000 UTC",\n"EventMessage": "${message}"\n}`;
    await send(
      path,
      eventer('EnsureFailed', 'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls\nhas no cert id.', '11:00:00'),
    );
    await send(path, eventer('EnsureServiceSuccess', 'Service Sync Success. RetrunCode: S2000', '11:05:00'));
    expect(await incidentsOf('nameless')).toEqual([
      {
        problem: { id: 'tke/ingress/E4011' },
        subject: { kind: 'Ingress', namespace: null, name: '' },
        occurrences: 1,
        resolvedBy: 'QUIET',
        events: { totalCount: 1 },
      },
    ]);
  });

  it("ends the incidents of an object that kubewatch says is gone, and opens one of kubewatch's back-off", async () => {
    const path = await cluster('kubewatch');
    await send(path, bodyOf('event-exporter.json').replace(',"deleted":true', ''));
    expect(await incidentsOf('kubewatch')).not.toMatchObject([{ resolvedBy: 'OBJECT_GONE' }]);
    const gone = bodyOf('kubewatch.json');
    expect(await send(path, gone)).toMatchObject({ status: 200, body: { accepted: 1, rejected: [] } });
    expect(await incidentsOf('kubewatch')).toMatchObject([{ ...crashLoop, resolvedBy: 'OBJECT_GONE' }]);
    expect(await send(path, bodyOf('kubewatch-message.json'))).toMatchObject({ status: 200, body: { accepted: 1, rejected: [] } });
  });

  describe('the door', () => {
    let path: string;
    let authorization: string;
    const event = (uid: string): string => bodyOf('event-exporter.json').replace('8c1be0a6', uid);

    beforeAll(async () => {
      path = await cluster('door');
      authorization = `Authorization: Bearer ${tokens.get('door')}\r\n`;
    });

    const head = (method: string, more: string, query = ''): string =>
      `${method} ${path}${query} HTTP/1.1\r\nHost: casebook\r\nUser-Agent: Go-http-client/1.1\r\nConnection: close\r\n${authorization}${more}\r\n`;
    const chunked = (bytes: Uint8Array): Buffer[] => {
      const middle = Math.floor(bytes.length / 2);
      return [bytes.subarray(0, middle), bytes.subarray(middle), new Uint8Array()].map((part) =>
        Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
      );
    };

    it('takes the body of a GET that names no Content-Type, as kube-eventer sends it', async () => {
      const body = Buffer.from(bodyOf('kube-eventer-broken.txt'));
      const query = `?level=Normal&header=Authorization=Bearer%20${SECRET}&access_token=${SECRET}`;
      const answer = await rawRequest(casebook.url, head('GET', `Content-Length: ${body.length}\r\n`, query), body);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain('"accepted":1');
    });

    it.each(['GET', 'POST', 'PUT'])('takes the chunks of a %s', async (method) => {
      const plain = await rawRequest(
        casebook.url,
        head(method, 'Transfer-Encoding: chunked\r\n'),
        ...chunked(Buffer.from(event(`${method}-plain`))),
      );
      expect(plain.status, plain.text).toBe(200);
      expect(plain.text).toContain('"accepted":1');
      const gzip = gzipSync(event(`${method}-gzip`));
      const packed = await rawRequest(
        casebook.url,
        head(method, 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n'),
        ...chunked(gzip),
      );
      expect(packed.status, packed.text).toBe(200);
      expect(packed.text).toContain('"accepted":1');
    });

    it('undoes gzip, zlib and raw deflate of any Content-Type', async () => {
      const packed = [
        ['gzip', gzipSync(event('gz')), 'application/x-ndjson'],
        ['deflate', deflateSync(event('zlib')), 'application/x-www-form-urlencoded'],
        ['deflate', deflateRawSync(event('raw')), 'text/plain; charset=latin1'],
      ] as const;
      for (const [encoding, body, type] of packed) {
        const answer = await send(path, body, { 'content-encoding': encoding, 'content-type': type });
        expect(answer, encoding).toMatchObject({ status: 200, body: { accepted: 1 } });
      }
    });

    it('explains a GET without a body, with and without a Content-Type', async () => {
      for (const type of ['', 'Content-Type: application/json\r\n', 'Content-Length: 0\r\n']) {
        const answer = await rawRequest(casebook.url, head('GET', type));
        expect(answer.status).toBe(400);
        expect(answer.text).toContain('the GET came without a body. Send them with POST.');
      }
    });

    it('answers HEAD with 200 for the cluster of the token only, and stores nothing', async () => {
      const token = tokens.get('door');
      expect((await casebook.send('HEAD', path, { token })).status).toBe(200);
      expect((await casebook.send('HEAD', path)).status).toBe(401);
      expect((await casebook.send('HEAD', path, { token: 'cb_wrong' })).status).toBe(401);
      expect((await casebook.send('HEAD', '/v1/clusters/nameless/events', { token })).status).toBe(403);
      expect((await casebook.send('HEAD', '/v1/clusters/nowhere/events', { token: ADMIN_TOKEN })).status).toBe(404);
    });

    it('takes the token as the password of an address, for eventrouter and kubewatch, which can set no header', async () => {
      const basic = (password: string): Record<string, string> => ({ authorization: `Basic ${btoa(`casebook:${password}`)}` });
      const body = event('basic');
      expect(await casebook.send('POST', path, { body, headers: basic(tokens.get('door')!) })).toMatchObject({
        status: 200,
        body: { accepted: 1 },
      });
      expect((await casebook.send('POST', path, { body, headers: basic('cb_wrong') })).status).toBe(401);
      expect((await casebook.send('POST', path, { body, headers: basic(tokens.get('nameless')!) })).status).toBe(403);
    });

    it('answers OPTIONS without a token', async () => {
      const { status } = await casebook.send('OPTIONS', path);
      expect([200, 204]).toContain(status);
    });

    it('reads what is asked for by name, and names every format to who asks for another', async () => {
      expect(await send(`${path}?format=eventrouter`, bodyOf('eventrouter-stdout.ndjson'))).toMatchObject({
        status: 200,
        body: { rejected: [] },
      });
      expect(await send(`${path}?format=kubewatch`, event('forced'))).toMatchObject({
        status: 200,
        body: { accepted: 0, rejected: [{ index: 0, reason: expect.stringContaining('kubewatch names a kind and a name') }] },
      });
      const { status, body } = await send(`${path}?format=syslog`, event('x'));
      expect(status).toBe(400);
      expect(body.error.message).toMatch(
        /^format: "syslog" is not known; the formats are .*eventrouter, fluent-bit, kube-eventer, kubernetes.*vector\.$/,
      );
    });

    it('answers nothing with 500, whatever is in the body', async () => {
      const bodies = [
        '{"EventType":"x","EventKind":{},"EventReason":[1]}',
        '{"eventmeta":null}',
        '{"eventmeta":{"kind":1}}',
        '9 <24>1 - - -',
        '{"verb":"ADDED","event":{"involvedObject":7}}',
        '{"source_type":"file","message":"{\\"a\\":"}',
        '{"date":1e999,"log":"[]"}',
        Buffer.from([0x92, 0xff, 0x00]),
        '{"details":{"kind":"Pod","message":"m","createdAt":"never"}}',
      ];
      for (const body of bodies) {
        const { status } = await send(path, body);
        expect([200, 400], String(body)).toContain(status);
      }
    });

    it('keeps secrets of query strings and headers out of the log', async () => {
      const query = `?access_token=${SECRET}&key=${SECRET}`;
      await send(`${path}${query}`, event('secret'));
      await send(`${path}${query}&format=${SECRET}`, event('secret'));
      await send(`${path}${query}`, '{"broken');
      await casebook.send('POST', `/v1/clusters/nowhere/events${query}`, { body: event('secret'), token: ADMIN_TOKEN });
      await casebook.send('GET', `/v1/nothing${query}`, { token: ADMIN_TOKEN });
      await casebook.send('GET', `${path}${query}`, { headers: { authorization: `Basic ${SECRET}` } });
      const answers = [
        await rawRequest(casebook.url, `GET ${path}${query} HTTP/9.9\r\n\r\n`),
        await rawRequest(casebook.url, `GET /v1/%zz${query} HTTP/1.1\r\nHost: casebook\r\nConnection: close\r\n${authorization}\r\n`),
        await rawRequest(casebook.url, `POST /v1/none${query} HTTP/1.1\r\nHost: casebook\r\nConnection: close\r\n${authorization}\r\n`),
      ];
      // kube-eventer writes the answers that it gets into its own log.
      for (const { status, text } of answers) {
        expect([400, 404, 505], text).toContain(status);
        expect(text).not.toContain(SECRET);
      }
      const log = casebook.logged.join('\n');
      expect(log).toContain('"method":"POST","route":"/v1/clusters/:cluster/events"');
      for (const secret of [SECRET, ADMIN_TOKEN, ...tokens.values()]) expect(log).not.toContain(secret);
    });
  });
});

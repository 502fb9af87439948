import { gzipSync, deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent, e4011 } from '../support/core-event.js';
import type { Answer, SendOptions, TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

const MIB = 1024 * 1024;

describe('bad input at the intake', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_MAX_BODY_BYTES: String(4 * MIB), CASEBOOK_MAX_INFLATED_BYTES: String(8 * MIB) });
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());
  // Whatever came before, the process is up and stores what is sent next.
  afterEach(async () => {
    expect(await post(e4011())).toMatchObject({ status: 200, body: { accepted: 1, merged: 0, rejected: [] } });
    expect(casebook.logged).toEqual([]);
  });

  function post(body: unknown, options: SendOptions = {}): Promise<Answer> {
    return casebook.send('POST', '/v1/clusters/prod/events', { body, ...options });
  }
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const encoded = (encoding: string): SendOptions => ({ headers: { 'content-encoding': encoding } });

  it.each([
    ['nothing', ''],
    ['white space', ' \n '],
    ['no JSON', 'hello'],
    ['half a JSON text', '{"kind":"Event","mess'],
    ['a number', '42'],
    ['a text', '"hello"'],
    ['UTF-16', Buffer.from('\ufeff{"kind":"Event"}', 'utf16le')],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['latin 1', Buffer.from('{"message":"Stra\u00dfe"}', 'latin1')],
  ])('refuses %s as a body', async (_name, body) => {
    const { status, body: said } = await post(body);
    expect({ status, code: said.error.code }).toEqual({ status: 400, code: 'BAD_INPUT' });
    expect(said.error.message).toMatch(/^The body is .*\.$/s);
  });

  it('takes any Content-Type, or none', async () => {
    for (const type of [
      'text/plain',
      'application/cloudevents+json',
      'application/x-www-form-urlencoded',
      'nonsense',
      'multipart/form-data; boundary=x',
    ]) {
      expect((await post(json(e4011()), { headers: { 'content-type': type } })).status, type).toBe(200);
    }
  });

  it('undoes gzip and deflate, with and without the header of zlib', async () => {
    for (const [encoding, body] of [
      ['gzip', gzipSync(json(e4011()))],
      ['x-gzip', gzipSync(json(e4011()))],
      ['deflate', deflateSync(json(e4011()))],
      ['deflate', deflateRawSync(json(e4011()))],
      ['identity', json(e4011())],
    ] as const) {
      expect(await post(body, encoded(encoding)), encoding).toMatchObject({ status: 200, body: { accepted: 1 } });
    }
  });

  it('refuses a truncated or damaged gzip body', async () => {
    const whole = gzipSync(json(Array.from({ length: 100 }, () => e4011())));
    const answers = await Promise.all([
      post(whole.subarray(0, whole.length - 20), encoded('gzip')),
      post(whole.subarray(0, 5), encoded('gzip')),
      post(Buffer.concat([whole.subarray(0, 50), Buffer.alloc(20), whole.subarray(70)]), encoded('gzip')),
      post(json(e4011()), encoded('gzip')),
      post('', encoded('gzip')),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(answers.map(() => [400, 'BAD_INPUT']));
  });

  it('refuses an encoding that it does not know', async () => {
    for (const encoding of ['br', 'zstd', 'gzip, gzip']) {
      expect(await post(json(e4011()), encoded(encoding))).toMatchObject({
        status: 415,
        body: { error: { code: 'UNSUPPORTED_ENCODING' } },
      });
    }
  });

  it('refuses a zip bomb without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * MIB), { level: 9 });
    expect(bomb.length).toBeLessThan(MIB);
    const before = process.memoryUsage().rss;
    expect(await post(bomb, encoded('gzip'))).toMatchObject({ status: 413, body: { error: { code: 'TOO_LARGE' } } });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
  });

  it('refuses a body of 50 MB, with its length said before or not', async () => {
    const body = Buffer.alloc(50 * MIB, ' ');
    expect(await post(body)).toMatchObject({ status: 413, body: { error: { code: 'TOO_LARGE' } } });
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 50; i++) controller.enqueue(body.subarray(i * MIB, (i + 1) * MIB));
        controller.close();
      },
    });
    const answer = await fetch(`${casebook.url}/v1/clusters/prod/events`, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('refuses more than 50,000 events at once', async () => {
    expect(await post('{"reason":"a"}\n'.repeat(50_001))).toMatchObject({
      status: 413,
      body: { error: { code: 'TOO_LARGE', message: expect.stringContaining('50001') } },
    });
  });

  it('survives nesting a million deep', async () => {
    for (const body of ['['.repeat(1e6), `${'['.repeat(1e6)}${']'.repeat(1e6)}`, `${'{"a":'.repeat(3e5)}1${'}'.repeat(3e5)}`]) {
      const { status, body: said } = await post(body);
      expect([200, 400]).toContain(status);
      if (status === 200) expect(said.accepted).toBe(0);
    }
    const deep = `{"involvedObject":{"kind":"Pod","name":"x"},"message":"m","metadata":{"uid":"deep"},"extra":${'['.repeat(5e5)}${']'.repeat(5e5)}}`;
    expect(await post(`${deep}\n${JSON.stringify(e4011())}`)).toMatchObject({ status: 200, body: { accepted: 2 } });
  });

  it('keeps NUL characters and halves of surrogate pairs out of the database, and the rest of the message', async () => {
    const message = 'ErrorCode: E4011 Details: a\0b \ud800c \udc00d';
    const answer = await post(JSON.stringify([e4011({ uid: 'nul\0uid', message, name: 'nul' })]));
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1, rejected: [] } });
    const { data } = await casebook.graphql(
      '{ incidents(filter: { subject: { kind: "Ingress", namespace: "shop", name: "nul" } }) { nodes { events { nodes { message } } } } }',
    );
    expect(data.incidents.nodes[0].events.nodes[0].message).toBe('ErrorCode: E4011 Details: a\ufffdb \ufffdc \ufffdd');
  });

  it('lists a message of 1 MB as refused and keeps what is beside it', async () => {
    const answer = await post([
      e4011({ uid: 'before' }),
      e4011({ message: `ErrorCode: E4011 ${'x'.repeat(MIB)}` }),
      e4011({ uid: 'after' }),
    ]);
    expect(answer).toMatchObject({
      status: 200,
      body: { accepted: 2, merged: 0, rejected: [{ index: 1, reason: expect.stringMatching(/^message: \d+ characters are more than/) }] },
    });
  });

  it('lists wrong counts and times as refused, each with its place, and keeps what is beside them', async () => {
    const events = [
      e4011({ count: -1 }),
      e4011({ count: 1e12 }),
      e4011({ count: 1.5 }),
      e4011({ at: '0000-01-01T00:00:00Z' }),
      e4011({ at: '9999-12-31T23:59:59Z' }),
      e4011({ at: 'yesterday' }),
      { ...e4011(), involvedObject: 7 },
      null,
      'text',
      { kind: 'Pod', apiVersion: 'v1' },
      coreEvent({ uid: 'good', reason: 'Pulled', message: 'fine' }),
    ];
    const { status, body } = await post(events);
    expect({ status, accepted: body.accepted, refused: body.rejected.map(({ index }: { index: number }) => index) }).toEqual({
      status: 200,
      accepted: 1,
      refused: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    });
    expect(body.rejected.every(({ reason }: { reason: string }) => reason.length > 10)).toBe(true);
  });

  it('keeps good lines beside broken ones', async () => {
    const answer = await post(`${JSON.stringify(e4011())}\n{"broken\n${JSON.stringify(e4011())}\n`);
    expect(answer).toMatchObject({ status: 200, body: { accepted: 2, rejected: [{ index: 1 }] } });
  });

  it('keeps odd names as they are', async () => {
    const name = `"';DROP TABLE incident;--\u2028\u202e${'名'.repeat(60)}`;
    expect(await post(e4011({ name, namespace: "a'b" }))).toMatchObject({ status: 200, body: { accepted: 1 } });
    const { data } = await casebook.graphql(
      'query ($name: String!) { incidents(filter: { subject: { kind: "Ingress", namespace: "a\'b", name: $name } }) { nodes { subject { name } } } }',
      { name },
    );
    expect(data.incidents.nodes).toEqual([{ subject: { name } }]);
  });

  it.each(['nowhere', '..%2f..', '%00', 'x'.repeat(200), '%F0%9F%98%80'])('does not know the cluster %s', async (cluster) => {
    const { status, body } = await casebook.send('POST', `/v1/clusters/${cluster}/events`, { body: e4011() });
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it('refuses a format that nobody knows', async () => {
    expect(await casebook.send('POST', '/v1/clusters/prod/events?format=morse', { body: e4011() })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('morse') } },
    });
    expect((await casebook.send('POST', '/v1/clusters/prod/events?format=a&format=b', { body: e4011() })).status).toBe(400);
  });
});

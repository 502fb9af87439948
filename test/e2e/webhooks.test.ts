import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemovalService } from '../../src/pipeline/removal.service.js';
import { e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import type { Manner } from '../support/webhook-receiver.js';
import { createWebhook, deliveriesOf, settled, synced, WEBHOOK_ENV } from '../support/webhooks.js';

let casebook: TestCasebook;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  casebook = await startTestCasebook({ ...WEBHOOK_ENV, LOG_LEVEL: 'info' });
  await casebook.register('prod');
});
afterAll(async () => {
  await casebook?.stop();
  await receiver?.stop();
});

let names = 0;
const newName = (): string => `web-${++names}`;

/** A webhook that tells of the Ingresses of a namespace of its own. */
async function hook(path: string, input: object = {}): Promise<{ id: string; namespace: string }> {
  const namespace = path.slice(1);
  const id = await createWebhook(casebook, {
    name: path,
    url: receiver.url(path),
    filter: { namespaces: [namespace] },
    flapSeconds: 0,
    ...input,
  });
  return { id, namespace };
}

describe('a webhook', () => {
  it('tells the opening and the end of an incident, signed, with a key of its own each', async () => {
    const { id, namespace } = await hook('/life', { secret: 'a-shared-secret', headers: [{ name: 'X-Team', value: 'team-token-1' }] });
    const name = newName();
    await casebook.post('prod', e4011({ name, namespace }));
    await waitUntil(
      () => receiver.of('/life'),
      (list) => list.length === 1,
    );
    await casebook.post('prod', synced(name, namespace));
    const deliveries = await settled(casebook, id, 2);
    expect(deliveries.map(({ kind, status, attempts, answerCode, answer }) => [kind, status, attempts, answerCode, answer])).toEqual([
      ['RESOLVED', 'DELIVERED', 1, 200, 'ok'],
      ['OPENED', 'DELIVERED', 1, 200, 'ok'],
    ]);
    const [opened, resolved] = receiver.of('/life');
    expect(opened!.json).toMatchObject({
      id: deliveries[1].id,
      kind: 'OPENED',
      webhook: '/life',
      incident: {
        cluster: 'prod',
        problem: 'tke/ingress/E4011',
        code: 'E4011',
        status: 'open',
        subject: { kind: 'Ingress', namespace, name },
      },
      digest: null,
    });
    expect(resolved!.json).toMatchObject({ kind: 'RESOLVED', incident: { status: 'resolved', resolvedBy: 'SUCCESS_EVENT' } });
    for (const { headers, body, json } of [opened!, resolved!]) {
      const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-casebook-signature'] as string)!;
      expect(signature).toBe(createHmac('sha256', 'a-shared-secret').update(`${time}.${body}`).digest('hex'));
      expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
      expect(headers).toMatchObject({ 'idempotency-key': json.id, 'x-team': 'team-token-1', 'x-casebook-event': json.kind });
    }
    expect(opened!.json.id).not.toBe(resolved!.json.id);
  });

  it.each<[string, Manner[], number]>([
    ['answers 500', [{ status: 500 }, { status: 200 }], 2],
    ['answers 429', [{ status: 429, headers: { 'retry-after': '1' } }, { status: 200 }], 2],
    ['cuts the connection', ['reset', 'reset', { status: 200 }], 3],
    ['hangs', ['hang', { status: 200 }], 2],
    ['drips its answer', ['drip'], 1],
    ['answers without end', ['huge'], 1],
  ])('delivers to a receiver that %s, each time with the same key', async (what, manners, attempts) => {
    const path = `/fails-${what.replaceAll(' ', '-')}`;
    const { id, namespace } = await hook(path);
    receiver.behave(path, ...manners);
    const began = performance.now();
    await casebook.post('prod', e4011({ name: newName(), namespace }));
    const [delivery] = await settled(casebook, id);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts, error: null });
    expect(receiver.of(path).map(({ headers }) => headers['idempotency-key'])).toEqual(Array(attempts).fill(delivery.id));
    expect(new Set(receiver.of(path).map(({ body }) => body)).size).toBe(1);
    if (what === 'answers 429') expect(performance.now() - began).toBeGreaterThan(1000);
    expect(delivery.answer.length).toBeLessThanOrEqual(500);
  });

  it.each<[string, Manner, RegExp]>([
    ['a refusal', { status: 404, body: 'no such hook, token=abcdefghijk' }, /answered 404: the receiver refuses it$/],
    [
      'a redirect to the metadata of the cloud',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      /redirects are not followed/,
    ],
    ['a redirect to this machine', { status: 307, headers: { location: '/elsewhere' } }, /redirects are not followed/],
  ])('gives a message up at once at %s', async (what, manner, error) => {
    const path = `/dead-${what.replaceAll(' ', '-')}`;
    const { id, namespace } = await hook(path);
    receiver.behave(path, manner);
    await casebook.post('prod', e4011({ name: newName(), namespace }));
    const [delivery] = await settled(casebook, id);
    expect(delivery).toMatchObject({ status: 'DEAD', attempts: 1, error: expect.stringMatching(error) });
    expect(delivery.answer ?? '').not.toContain('abcdefghijk');
    expect(receiver.of('/elsewhere')).toEqual([]);
  });

  it('gives a message up after the last attempt, holds back what follows, and sends both again in order when asked', async () => {
    const { id, namespace } = await hook('/dead-letter');
    receiver.behave('/dead-letter', { status: 503 });
    const name = newName();
    await casebook.post('prod', e4011({ name, namespace }));
    const [dead] = await settled(casebook, id);
    expect(dead).toMatchObject({ status: 'DEAD', attempts: 4, answerCode: 503 });
    expect(dead.error).toMatch(/answered 503; that was attempt 4 of 4$/);
    await casebook.post('prod', synced(name, namespace));
    const [recovery] = await settled(casebook, id, 2);
    expect(recovery).toMatchObject({ kind: 'RESOLVED', status: 'DEAD', error: 'the message that told of the failure was not delivered' });
    expect(receiver.of('/dead-letter').map(({ json }) => json.kind)).toEqual(Array(4).fill('OPENED'));

    receiver.behave('/dead-letter', { status: 200 });
    const { data } = await casebook.graphql('mutation($id: ID!) { resendDeliveries(webhook: $id) }', { id });
    expect(data).toEqual({ resendDeliveries: 2 });
    await waitUntil(
      () => deliveriesOf(casebook, id, 'DELIVERED'),
      (list) => list.length === 2,
    );
    const again = receiver.of('/dead-letter').slice(4);
    expect(again.map(({ json, headers }) => [json.kind, headers['idempotency-key']])).toEqual([
      ['OPENED', dead.id],
      ['RESOLVED', recovery.id],
    ]);
    const refused = await casebook.graphql('mutation($id: ID!) { resendDelivery(id: $id) { id } }', { id: dead.id });
    expect(refused.errors![0]!.extensions.code).toBe('CONFLICT');
  });

  it('sends what was given up because of a message again with it', async () => {
    const { id, namespace } = await hook('/with-it');
    receiver.behave('/with-it', { status: 403 });
    const name = newName();
    await casebook.post('prod', e4011({ name, namespace }));
    const [dead] = await settled(casebook, id);
    await casebook.post('prod', synced(name, namespace));
    await settled(casebook, id, 2);
    receiver.behave('/with-it', { status: 200 });
    await casebook.graphql('mutation($id: ID!) { resendDelivery(id: $id) { id } }', { id: dead.id });
    await waitUntil(
      () => deliveriesOf(casebook, id, 'DELIVERED'),
      (list) => list.length === 2,
    );
    expect(receiver.of('/with-it').map(({ json }) => json.kind)).toEqual(['OPENED', 'OPENED', 'RESOLVED']);
  });

  it('does not send again what a later message has made untrue', async () => {
    const { id, namespace } = await hook('/untrue');
    receiver.behave('/untrue', { status: 200 }, { status: 403 }, { status: 200 });
    const name = newName();
    await casebook.post('prod', e4011({ name, namespace }));
    await settled(casebook, id, 1);
    await casebook.post('prod', synced(name, namespace));
    const [recovery] = await settled(casebook, id, 2);
    expect(recovery).toMatchObject({ kind: 'RESOLVED', status: 'DEAD' });
    await casebook.post('prod', e4011({ name, namespace, at: new Date().toISOString() }));
    expect((await settled(casebook, id, 3))[0]).toMatchObject({ kind: 'REOPENED', status: 'DELIVERED' });
    const { errors } = await casebook.graphql('mutation($id: ID!) { resendDelivery(id: $id) { id } }', { id: recovery.id });
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining('a later one about its incident'),
      extensions: { code: 'CONFLICT' },
    });
    const { data } = await casebook.graphql('mutation($id: ID!) { resendDeliveries(webhook: $id) }', { id });
    expect(data).toEqual({ resendDeliveries: 0 });
    expect(receiver.of('/untrue').map(({ json }) => json.kind)).toEqual(['OPENED', 'RESOLVED', 'REOPENED']);
  });

  it('sends nothing to a receiver before the time that it asked for', async () => {
    const { id, namespace } = await hook('/asked');
    const began = performance.now();
    receiver.behave('/asked', { status: 429, headers: { 'retry-after': '2' } }, { status: 200 });
    await casebook.post('prod', e4011({ name: newName(), namespace }));
    await waitUntil(
      () => deliveriesOf(casebook, id),
      ([first]) => first?.error === 'it was answered 429',
    );
    await casebook.post('prod', e4011({ name: newName(), namespace }));
    await waitUntil(
      () => receiver.of('/asked'),
      (list) => list.length >= 2,
    );
    expect(performance.now() - began).toBeGreaterThan(2000);
    await settled(casebook, id, 2);
  });

  it.each<[string, Manner[], object]>([
    [
      'WECOM',
      [
        { status: 200, body: '{"errcode":45009,"errmsg":"too often"}' },
        { status: 200, body: '{"errcode":0}' },
      ],
      { attempts: 2 },
    ],
    ['DINGTALK', [{ status: 200, body: '{"errcode":310000,"errmsg":"sign not match"}' }], { attempts: 1, status: 'DEAD' }],
    [
      'FEISHU',
      [
        { status: 200, body: '<html>' },
        { status: 200, body: '{"code":0}' },
      ],
      { attempts: 2 },
    ],
  ])('reads in the answer of %s what became of a message', async (preset, manners, expected) => {
    const path = `/code-${preset}`;
    const { id, namespace } = await hook(path, { preset });
    receiver.behave(path, ...manners);
    await casebook.post('prod', e4011({ name: newName(), namespace }));
    expect((await settled(casebook, id))[0]).toMatchObject({ status: 'DELIVERED', ...expected });
  });

  it('tells that the failures of a cluster are over when it is removed, before everything of it goes', async () => {
    await casebook.register('leaving');
    const { id, namespace } = await hook('/leaving');
    receiver.behave('/leaving', { status: 200 }, { status: 500 }, { status: 200 });
    await casebook.post('leaving', e4011({ name: newName(), namespace }));
    await settled(casebook, id);
    await casebook.graphql('mutation { removeCluster(name: "leaving", confirm: "leaving") { name } }');
    await casebook.app.get(RemovalService).run();
    await waitUntil(
      async () => (await casebook.database.pool.query(`SELECT FROM cluster WHERE name = 'leaving'`)).rows.length,
      (left) => left === 0,
    );
    expect(receiver.of('/leaving').map(({ json: { kind, incident } }) => [kind, incident.status, incident.resolvedBy])).toEqual([
      ['OPENED', 'open', null],
      ...Array(2).fill(['RESOLVED', 'resolved', 'OBJECT_GONE']),
    ]);
    expect(await deliveriesOf(casebook, id)).toEqual([]);
  });

  it('keeps the order of an incident while its receiver fails, and does not hold up other webhooks', async () => {
    const slow = await hook('/order', { kinds: ['OPENED', 'ACKNOWLEDGED', 'RESOLVED'] });
    const quick = await hook('/quick', { filter: { namespaces: [slow.namespace] } });
    receiver.behave('/order', { status: 200 }, { status: 500 }, 'reset', { status: 200 });
    const name = newName();
    await casebook.post('prod', e4011({ name, namespace: slow.namespace }));
    const [opened] = await settled(casebook, slow.id);
    await casebook.graphql('mutation($id: ID!) { acknowledgeIncident(id: $id) { id } }', { id: opened.incidentId });
    await casebook.post('prod', synced(name, slow.namespace));
    await settled(casebook, quick.id, 2);
    await settled(casebook, slow.id, 3);
    expect(receiver.of('/quick').map(({ json }) => json.kind)).toEqual(['OPENED', 'RESOLVED']);
    const order = ['OPENED', 'ACKNOWLEDGED', 'ACKNOWLEDGED', 'ACKNOWLEDGED', 'RESOLVED'];
    expect(receiver.of('/order').map(({ json }) => json.kind)).toEqual(order);
  });

  it('sends a test and says what came of it', async () => {
    const { id } = await hook('/test');
    receiver.behave('/test', { status: 500 }, { status: 204 });
    const test = async () =>
      (await casebook.graphql('mutation($id: ID!) { testWebhook(id: $id) { kind status error answerCode } }', { id })).data['testWebhook'];
    expect(await test()).toEqual({ kind: 'TEST', status: 'DEAD', error: 'it was answered 500', answerCode: 500 });
    expect(await test()).toEqual({ kind: 'TEST', status: 'DELIVERED', error: null, answerCode: 204 });
    expect(receiver.of('/test').map(({ json }) => json.text)).toEqual(['Test: /test', 'Test: /test']);
  });

  it('fills a template of its own, from which no value can break out', async () => {
    const template = JSON.stringify({
      alert: 'on {{incident.subject.name}}',
      count: '{{incident.occurrences}}',
      kind: '{{kind}}',
      digest: '{{digest}}',
    });
    const { id, namespace } = await hook('/template', { template });
    await casebook.post('prod', e4011({ name: 'a","x":"b', namespace }));
    await settled(casebook, id);
    expect(receiver.of('/template').map(({ json }) => json)).toEqual([{ alert: 'on a","x":"b', count: 1, kind: 'OPENED', digest: null }]);
  });
});

describe('the secrets of a webhook', () => {
  it('are shown nowhere: not by the API, not in the database, not in the log', async () => {
    const secret = 'very-secret-key-42';
    const id = await createWebhook(casebook, {
      name: 'sealed',
      url: receiver.url('/services/T0/B0/path-secret?key=query-secret'),
      secret,
      headers: [{ name: 'Authorization', value: 'Bearer header-secret' }],
    });
    receiver.behave('/services/T0/B0/path-secret', {
      status: 400,
      body: 'bad key query-secret for /services/T0/B0/path-secret?key=query-secret',
    });
    await casebook.graphql('mutation($id: ID!) { testWebhook(id: $id) { status } }', { id });
    const { data } = await casebook.graphql('{ webhooks { id name target hasSecret headerNames } deliveries { nodes { answer error } } }');
    expect(data['webhooks'].find((webhook: { id: string }) => webhook.id === id)).toEqual({
      id,
      name: 'sealed',
      target: `http://127.0.0.1:${receiver.port}`,
      hasSecret: true,
      headerNames: ['authorization'],
    });
    const { rows } = await casebook.database.pool.query(
      'SELECT w::text AS row FROM webhook w UNION ALL SELECT d::text FROM webhook_delivery d UNION ALL SELECT a::text FROM audit_log a',
    );
    const everything = [JSON.stringify(data), ...rows.map(({ row }) => row as string), ...casebook.logged].join('\n');
    for (const word of [secret, 'path-secret', 'query-secret', 'header-secret'])
      expect([word, everything.includes(word)]).toEqual([word, false]);
    const moved = await casebook.graphql(
      'mutation($id: ID!) { updateWebhook(id: $id, input: { url: "https://elsewhere.example.com/" }) { id } }',
      { id },
    );
    expect(moved.errors![0]!.message).toContain('give secret and headers anew');
    await casebook.graphql('mutation($id: ID!) { deleteWebhook(id: $id) { id } }', { id });
  });

  it('can be set anew when the key that sealed them is lost', async () => {
    const { id } = await hook('/lost-key', { secret: 'secret-of-before' });
    await casebook.database.pool.query(`UPDATE webhook SET sealed = 's1.00000000.AAAA' WHERE id = $1`, [id]);
    const update = (input: object) =>
      casebook.graphql('mutation($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { hasSecret } }', {
        id,
        input,
      });
    expect((await update({ locale: 'ZH' })).errors).toBeDefined();
    const { data } = await update({ url: receiver.url('/found-key'), secret: 'secret-of-after', headers: null });
    expect(data).toEqual({ updateWebhook: { hasSecret: true } });
    await casebook.graphql('mutation($id: ID!) { testWebhook(id: $id) { status } }', { id });
    expect(receiver.of('/found-key')).toHaveLength(1);
  });

  it('need a key', async () => {
    const other = await startTestCasebook({ CASEBOOK_WEBHOOK_ALLOW: '127.0.0.1' });
    const { errors } = await other.graphql(
      'mutation { createWebhook(input: { name: "x", preset: GENERIC, url: "https://example.com/" }) { id } }',
    );
    expect(errors![0]).toMatchObject({ message: expect.stringContaining('CASEBOOK_SECRET_KEY'), extensions: { code: 'CONFLICT' } });
    await other.stop();
  });
});

describe('creating a webhook', () => {
  it.each([
    ['an address inside', { url: 'https://10.0.0.1/' }, 'url: 10.0.0.1 is not a public address (private)'],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest' }, '169.254.169.254 is not a public address (linkLocal)'],
    ['this machine as a number', { url: 'https://2130706434/' }, '127.0.0.2 is not a public address (loopback)'],
    ['this machine as IPv6', { url: 'https://[::ffff:7f00:2]/' }, 'not a public address (loopback)'],
    ['plain http to the world', { url: 'http://8.8.8.8/' }, 'plain http'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url: expected https'],
    ['a password in the address', { url: 'https://u:p@example.com/' }, 'it holds a user or a password'],
    ['a template that is no JSON', { template: '{{kind}}' }, 'template: expected JSON'],
    ['an unknown field', { template: '"{{incident.password}}"' }, 'there is no field "incident.password"'],
    ['a template for Slack', { preset: 'SLACK', template: '{}' }, 'only the preset GENERIC'],
    ['PagerDuty without a key', { preset: 'PAGERDUTY', url: null }, 'expected the routing key'],
    ['recoveries without failures', { kinds: ['RESOLVED'] }, 'expected OPENED or REOPENED'],
    ['a header of HTTP itself', { headers: [{ name: 'Host', value: 'x' }] }, 'host is set by Casebook'],
    ['a header that breaks the line', { headers: [{ name: 'X-A', value: 'a\r\nB: c' }] }, 'printable ASCII'],
    ['too long a hold', { holdSeconds: 100_000 }, 'holdSeconds: expected a whole number from 0 to 86400'],
    ['a name that is taken', { name: '/test' }, 'There is a webhook "/test" already'],
  ])('refuses %s', async (_, input, message) => {
    const { errors } = await casebook.graphql('mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }', {
      input: { name: 'new', preset: 'GENERIC', url: 'https://example.com/', ...input },
    });
    expect(errors?.[0]?.message).toContain(message);
  });
});

describe('metrics', () => {
  it('tell of the outbox and of what came of the attempts', async () => {
    // what was looked up serves for a few seconds
    const { body } = await waitUntil(
      () => casebook.send('GET', '/metrics'),
      ({ body: text }) => /casebook_webhook_dead_letters [1-9]/.test(text as string),
    );
    expect(body).toMatch(/casebook_webhook_attempts_total\{result="delivered"\} [1-9]/);
    expect(body).toMatch(/casebook_webhook_attempts_total\{result="dead"\} [1-9]/);
    expect(body).toMatch(/casebook_webhook_dead_letters [1-9]/);
    expect(body).toMatch(/casebook_webhook_outbox 0/);
  });
});

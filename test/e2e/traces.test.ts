import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { ReceivedSpan } from '../support/trace-receiver.js';
import { TraceReceiver } from '../support/trace-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { createWebhook, WEBHOOK_ENV } from '../support/webhooks.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

let collector: TraceReceiver;
let receiver: WebhookReceiver;
let casebook: TestCasebook;
let token: string;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([TraceReceiver.start(), WebhookReceiver.start()]);
  // How often spans are sent is read by the library itself.
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
  casebook = await startTestCasebook({
    ...WEBHOOK_ENV,
    CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-hunter2',
    OTEL_SERVICE_NAME: 'casebook-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
  });
  token = await casebook.register('prod');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await casebook.stop();
  await Promise.all([collector.stop(), receiver.stop()]);
});

/** The spans of a trace once its root, which ends last, has come. */
async function traceOf(traceId: string, root: string): Promise<ReceivedSpan[]> {
  await waitUntil(() => collector.of(traceId).some(({ name }) => name === root), Boolean);
  return collector.of(traceId);
}

/** Names of the spans under a span. */
function under(spans: readonly ReceivedSpan[], name: string): string[] {
  const ids = new Set(spans.filter((span) => span.name === name).map(({ spanId }) => spanId));
  return spans.filter(({ parentId }) => ids.has(parentId)).map((span) => span.name);
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => spans.find((span) => span.name === name)!;

describe('traces', () => {
  it('follow an intake request of a traced sender from its head to its commit', async () => {
    const { status, headers } = await casebook.send('POST', '/v1/clusters/prod/events?token=query-hunter2', {
      body: [e4011({ uid: 'traced', message: 'Ingress Sync ClientError. ErrorCode: E4011 Details: message-hunter2' })],
      token,
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'sender-7' },
    });
    expect({ status, id: headers.get('x-request-id') }).toEqual({ status: 200, id: 'sender-7' });
    const spans = await traceOf(TRACE, 'POST /v1/clusters/:cluster/events');
    const root = named(spans, 'POST /v1/clusters/:cluster/events');
    expect(root).toMatchObject({
      parentId: PARENT,
      kind: 2,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/clusters/:cluster/events',
        'http.response.status_code': 200,
        'casebook.request_id': 'sender-7',
        'casebook.caller': 'cluster',
        'casebook.cluster': 'prod',
        'casebook.accepted': 1,
        'casebook.merged': 0,
      },
      resource: { 'service.name': 'casebook-test', 'service.version': expect.any(String), 'deployment.environment.name': 'tests' },
    });
    expect(under(spans, root.name)).toEqual(expect.arrayContaining(['intake.read', 'intake.store']));
    expect(named(spans, 'intake.read').attributes).toEqual({ 'casebook.cluster': 'prod', 'casebook.events': 1, 'casebook.rejected': 0 });
    expect(under(spans, 'intake.store')).toEqual(['intake.batch']);
    expect(named(spans, 'intake.batch').attributes).toEqual({ 'casebook.cluster': 'prod', 'casebook.events': 1, 'casebook.requests': 1 });
    expect(under(spans, 'intake.batch')).toEqual(['intake.match', 'intake.commit']);
    expect(under(spans, 'intake.commit')).toEqual(['transaction']);
    const statements = under(spans, 'transaction');
    expect(statements).toEqual(expect.arrayContaining(['BEGIN', 'UPDATE cluster', 'INSERT event_key', 'INSERT sighting', 'COMMIT']));
    expect(named(spans, 'INSERT event_key')).toMatchObject({
      kind: 3,
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'INSERT event_key' },
    });
    expect(collector.headers[0]!.authorization).toBe('Bearer collector-hunter2');
  });

  it('put the statements of a query under its operation', async () => {
    const traceId = TRACE.replace(/^4/, '5');
    const headers = { traceparent: `00-${traceId}-${PARENT}-01` };
    const query = 'query Open($search: String) { incidents(filter: { search: $search }) { totalCount nodes { id cluster { name } } } }';
    const { data } = await casebook.graphql(query, { search: 'variable-hunter2' }, headers);
    expect(data['incidents']).toMatchObject({ totalCount: 0 });
    const spans = await traceOf(traceId, 'POST /graphql');
    expect(named(spans, 'POST /graphql').attributes).toMatchObject({ 'casebook.caller': 'user', 'casebook.user': 'admin-token' });
    expect(under(spans, 'POST /graphql')).toContain('query Open');
    expect(named(spans, 'query Open').attributes).toEqual({ 'graphql.operation.type': 'query', 'graphql.operation.name': 'Open' });
    expect(under(spans, 'query Open')).toContain('SELECT incident');
  });

  it('mark what failed, by its kind alone', async () => {
    const traceId = TRACE.replace(/^4/, '6');
    const headers = { traceparent: `00-${traceId}-${PARENT}-01` };
    const answer = await casebook.send('POST', '/v1/clusters/prod/events', { body: '{"refused-hunter2', token, headers });
    expect(answer.status).toBe(400);
    const spans = await traceOf(traceId, 'POST /v1/clusters/:cluster/events');
    expect(named(spans, 'intake.read')).toMatchObject({ failed: true, attributes: { 'error.type': 'NOT_JSON' } });
    expect(named(spans, 'POST /v1/clusters/:cluster/events')).toMatchObject({
      failed: false,
      attributes: { 'http.response.status_code': 400 },
    });
  });

  it('go on with the receiver of a webhook, under a trace of the delivery', async () => {
    await createWebhook(casebook, { name: 'chat', url: receiver.url('/services/path-hunter2') });
    await casebook.post('prod', [e4011({ uid: 'told', name: 'other' })], token);
    await waitUntil(() => receiver.of('/services/path-hunter2').length > 0, Boolean);
    const sent = receiver.of('/services/path-hunter2')[0]!.headers['traceparent'] as string;
    const [, traceId, spanId] = sent.split('-');
    const spans = await traceOf(traceId!, 'webhook delivery');
    expect(named(spans, 'POST')).toMatchObject({
      spanId,
      kind: 3,
      parentId: named(spans, 'webhook delivery').spanId,
      attributes: { 'server.address': '127.0.0.1', 'server.port': receiver.port, 'http.response.status_code': 200 },
    });
    expect(named(spans, 'webhook delivery').parentId).toBe('');
  });

  it('hold background jobs, each run by itself', async () => {
    await waitUntil(() => collector.spans.some(({ name }) => name === 'job quiet'), Boolean);
    const job = collector.spans.find(({ name }) => name === 'job quiet')!;
    expect(job.parentId).toBe('');
    expect(under(collector.of(job.traceId), 'job quiet')).toContain('SELECT affected');
  });

  it('are named in the log beside the id of the request', () => {
    const lines = casebook.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ requestId, msg }) => requestId === 'sender-7' && msg === 'request')).toMatchObject({
      traceId: TRACE,
      method: 'POST',
      route: '/v1/clusters/:cluster/events',
      status: 200,
      ms: expect.any(Number),
      caller: 'cluster',
      cluster: 'prod',
      accepted: 1,
    });
  });

  it('hold none of the secrets and texts that went by', () => {
    expect(collector.spans.length).toBeGreaterThan(50);
    expect(collector.everything).not.toContain('hunter2');
    expect(casebook.logged.join('')).not.toContain('hunter2');
  });
});

describe('a collector that takes nothing', () => {
  it.each(['hang', 'refuse'] as const)('holds up neither answers nor the stop (%s)', async (manner) => {
    const away = await TraceReceiver.start();
    away.manner = manner;
    const service = await startTestCasebook({ OTEL_EXPORTER_OTLP_ENDPOINT: away.endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' });
    const own = await service.register('prod');
    expect((await service.post('prod', [e4011({ uid: 'a' })], own)).status).toBe(200);
    await waitUntil(() => away.headers.length > 0, Boolean);
    expect((await service.post('prod', [e4011({ uid: 'b' })], own)).status).toBe(200);
    if (manner === 'refuse') await waitUntil(() => service.logged.length > 0, Boolean);
    await service.stop();
    // Once, and not for every batch.
    expect(service.logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      manner === 'refuse' ? ['spans could not be sent to the collector; the service goes on'] : [],
    );
    expect(service.logged.join('')).not.toContain('hunter2');
    await away.stop();
  });
});

import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { CloudEvent, emitterFor, httpTransport, Mode } from 'cloudevents';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash } from '../support/core-event.js';
import { decodeProto, encodeProto } from '../support/otlp-proto.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;
const tokens = new Map<string, string>();

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: 'admin-token-of-the-tests' }, 'knowledge');
  for (const name of ['alerts', 'events', 'logs']) tokens.set(name, await casebook.register(name, 'kubernetes'));
});
afterAll(() => casebook?.stop());

const bearer = (cluster: string): Record<string, string> => ({ authorization: `Bearer ${tokens.get(cluster)!}` });
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

async function incidentsOf(cluster: string, namespace: string): Promise<Record<string, unknown>[]> {
  const { data, errors } = await casebook.graphql(
    `query($f: IncidentFilter) { incidents(filter: $f) { nodes {
      status occurrences resolvedAt resolvedBy subject { kind name } affected { kind name container } problem { id clears } diagnosis { matchedOn } } } }`,
    { f: { clusters: [cluster], namespaces: [namespace] } },
  );
  expect(errors).toBeUndefined();
  return data.incidents.nodes as Record<string, unknown>[];
}

describe('Alertmanager', () => {
  const alert = (status: 'firing' | 'resolved', startsAt: string, endsAt = '0001-01-01T00:00:00Z'): object => ({
    status,
    labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'web-6d4cf56db6-x2x5p', severity: 'warning' },
    annotations: { description: 'Pod shop/web-6d4cf56db6-x2x5p has been in a non-ready state for longer than 15 minutes.' },
    startsAt,
    endsAt,
    generatorURL: '',
    fingerprint: 'c4c0a6c42dfa9e21',
  });
  const group = (...alerts: object[]): object => ({
    receiver: 'casebook',
    version: '4',
    groupKey: '{}',
    groupLabels: {},
    truncatedAlerts: 0,
    alerts,
  });

  it('opens an incident with an alert that fires and ends it with the same alert resolved', async () => {
    const [from, to] = [minutesAgo(30), minutesAgo(5)];
    const post = (body: object): Promise<Answer> => casebook.post('alerts', body, tokens.get('alerts'));
    expect(await post(group(alert('firing', from)))).toMatchObject({ status: 200, body: { accepted: 1, merged: 0, rejected: [] } });
    expect(await post(group(alert('firing', from)))).toMatchObject({ status: 200, body: { accepted: 0, merged: 1 } });
    expect(await incidentsOf('alerts', 'shop')).toEqual([
      {
        status: 'OPEN',
        occurrences: 1,
        resolvedAt: null,
        resolvedBy: null,
        subject: { kind: 'Deployment', name: 'web' },
        affected: [{ kind: 'Pod', name: 'web-6d4cf56db6-x2x5p', container: null }],
        problem: { id: 'kubernetes/alert/pod-not-ready', clears: 'its alert is resolved' },
        diagnosis: { matchedOn: 'alert KubePodNotReady on Pod' },
      },
    ]);
    expect(await post(group(alert('resolved', from, to)))).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(await incidentsOf('alerts', 'shop')).toMatchObject([
      { status: 'RESOLVED', resolvedBy: 'SUCCESS_EVENT', resolvedAt: to, occurrences: 1 },
    ]);
  });

  it('takes the good alerts of a group and names the others', async () => {
    const other = { ...alert('firing', minutesAgo(3)), labels: { alertname: 'Watchdog', namespace: 'quiet' }, fingerprint: 'w' };
    const { status, body } = await casebook.post(
      'alerts',
      { ...group(other, { status: 'odd', labels: {}, startsAt: '' }), truncatedAlerts: 2 },
      tokens.get('alerts'),
    );
    expect([status, body.accepted]).toEqual([200, 1]);
    expect((body.rejected as { index: number }[]).map(({ index }) => index)).toEqual([1, 2]);
    expect(await incidentsOf('alerts', 'quiet')).toEqual([]);
  });
});

describe('CloudEvents', () => {
  const cloudEvent = (data: unknown): CloudEvent<unknown> =>
    new CloudEvent({ source: 'https://10.96.0.1:443', type: 'dev.knative.apiserver.resource.update', subject: '/apis/v1/events', data });

  it.each([
    ['binary', Mode.BINARY],
    ['structured', Mode.STRUCTURED],
  ])('of the CloudEvents SDK in %s mode become incidents', async (namespace, mode) => {
    const emit = emitterFor(httpTransport(`${casebook.url}/v1/clusters/events/events`), { mode });
    const answer = (await emit(cloudEvent(crash({ namespace, name: 'db-0' })), { headers: bearer('events') })) as { body: string };
    expect(JSON.parse(answer.body)).toEqual({ accepted: 1, merged: 0, rejected: [] });
    expect(await incidentsOf('events', namespace)).toMatchObject([{ status: 'OPEN', problem: { id: 'kubernetes/container/crash-loop' } }]);
  });

  it('of a batch, and those of Argo Events, become incidents', async () => {
    const data = (name: string): object => ({ type: 'UPDATE', body: crash({ namespace: 'batch', name }), oldBody: {}, resource: 'events' });
    const batch = ['db-0', 'db-1'].map((name) => cloudEvent(data(name)).toJSON());
    const answer = await casebook.send('POST', '/v1/clusters/events/events', {
      body: JSON.stringify(batch),
      headers: { 'content-type': 'application/cloudevents-batch+json', ...bearer('events') },
    });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 2, rejected: [] } });
    expect(await incidentsOf('events', 'batch')).toHaveLength(2);
  });

  it('are let in by a handshake', async () => {
    const headers = { 'webhook-request-origin': 'eventemitter.example.com', 'webhook-request-rate': '120' };
    const answer = await casebook.send('OPTIONS', '/v1/clusters/events/events', { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('webhook-allowed-origin')).toBe('eventemitter.example.com');
    expect(answer.headers.get('webhook-allowed-rate')).toBe('*');
    expect(answer.headers.get('allow')).toContain('POST');
  });
});

describe('OpenTelemetry', () => {
  const path = '/v1/clusters/logs/otlp/v1/logs';
  const protobuf = { 'content-type': 'application/x-protobuf' };
  const sendRaw = async (
    body: Uint8Array | string,
    headers: Record<string, string>,
  ): Promise<{ status: number; type: string | null; body: Uint8Array }> => {
    const answer = await fetch(casebook.url + path, { method: 'POST', headers, body: body as BodyInit });
    return { status: answer.status, type: answer.headers.get('content-type'), body: new Uint8Array(await answer.arrayBuffer()) };
  };
  const backOff = (namespace: string): object => ({
    resource: {
      attributes: [
        string('k8s.object.kind', 'Pod'),
        string('k8s.object.name', 'db-0'),
        string('k8s.object.fieldpath', 'spec.containers{app}'),
      ],
    },
    scopeLogs: [{ logRecords: [record(namespace)] }],
  });
  const string = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
  const record = (namespace: string): object => ({
    timeUnixNano: `${Date.now() - 60_000}000000`,
    severityText: 'Warning',
    body: { stringValue: 'Back-off restarting failed container app in pod db-0' },
    attributes: [
      string('k8s.event.reason', 'BackOff'),
      string('k8s.event.uid', `otlp-${namespace}`),
      string('k8s.namespace.name', namespace),
    ],
  });

  it.each(['none', 'gzip'])('sends its logs with its own exporter (compression %s) into an incident', async (compression) => {
    const namespace = `sdk-${compression}`;
    const exporter = new OTLPLogExporter({ url: casebook.url + path, headers: bearer('logs'), compression: compression as never });
    const object = {
      'k8s.node.name': 'node-7',
      'k8s.object.kind': 'Pod',
      'k8s.object.name': 'db-0',
      'k8s.object.fieldpath': 'spec.containers{app}',
    };
    const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });
    provider.getLogger('k8seventsreceiver').emit({
      timestamp: new Date(Date.now() - 60_000),
      severityNumber: SeverityNumber.WARN,
      severityText: 'Warning',
      body: 'Back-off restarting failed container app in pod db-0',
      attributes: {
        'k8s.event.reason': 'BackOff',
        'k8s.event.uid': namespace,
        'k8s.event.count': 7,
        'k8s.namespace.name': namespace,
        ...object,
      },
    });
    await provider.shutdown();
    expect(await incidentsOf('logs', namespace)).toMatchObject([
      { occurrences: 7, problem: { id: 'kubernetes/container/crash-loop' }, affected: [{ name: 'db-0', container: 'app' }] },
    ]);
  });

  it('sends objects as bodies, by the same exporter', async () => {
    const provider = new LoggerProvider({
      processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ url: casebook.url + path, headers: bearer('logs') }) })],
    });
    const object = crash({ namespace: 'objects', name: 'db-0', count: 3 });
    provider
      .getLogger('k8sobjectsreceiver')
      .emit({ body: { type: 'MODIFIED', object } as never, attributes: { 'k8s.resource.name': 'events' } });
    await provider.shutdown();
    expect(await incidentsOf('logs', 'objects')).toMatchObject([{ occurrences: 3, subject: { name: 'db-0' } }]);
  });

  it('is answered in the encoding of its request', async () => {
    const good = { resourceLogs: [backOff('encoding')] };
    const mixed = { resourceLogs: [backOff('encoding'), { scopeLogs: [{ logRecords: [{ severityNumber: 9 }] }] }] };
    const errorMessage = 'record 1: a log record was expected to have a body or k8s.event.* attributes, but it has neither';

    const json = { 'content-type': 'application/json', ...bearer('logs') };
    expect(await casebook.send('POST', path, { body: JSON.stringify(good), headers: json })).toMatchObject({ status: 200, body: {} });
    const partly = await casebook.send('POST', path, { body: JSON.stringify(mixed), headers: json });
    expect(partly).toMatchObject({ status: 200, body: { partialSuccess: { rejectedLogRecords: '1', errorMessage } } });

    const headers = { ...protobuf, ...bearer('logs') };
    expect(await sendRaw(encodeProto('ExportLogsServiceRequest', good), headers)).toEqual({
      status: 200,
      type: 'application/x-protobuf',
      body: new Uint8Array(),
    });
    const gzipped = await sendRaw(gzipSync(encodeProto('ExportLogsServiceRequest', mixed)), { ...headers, 'content-encoding': 'gzip' });
    expect(gzipped).toMatchObject({ status: 200, type: 'application/x-protobuf' });
    expect(decodeProto('ExportLogsServiceResponse', gzipped.body)).toEqual({ partialSuccess: { rejectedLogRecords: '1', errorMessage } });
  });

  it('is refused with a Status in the encoding of its request', async () => {
    const headers = { ...protobuf, ...bearer('logs') };
    const unreadable = await sendRaw(Uint8Array.of(0x0a, 0x7f, 1), headers);
    expect([unreadable.status, unreadable.type]).toEqual([400, 'application/x-protobuf']);
    expect(decodeProto('Status', unreadable.body)).toMatchObject({
      code: 3,
      message: expect.stringContaining('not an OTLP ExportLogsServiceRequest'),
    });

    const json = await casebook.send('POST', path, { body: '{', headers: { 'content-type': 'application/json', ...bearer('logs') } });
    expect(json).toMatchObject({ status: 400, body: { code: 3, message: expect.stringContaining('not JSON') } });

    const stranger = await sendRaw(new Uint8Array(), protobuf);
    expect(stranger.status).toBe(401);
    expect(decodeProto('Status', stranger.body)).toMatchObject({ code: 16 });

    const elsewhere = await casebook.send('POST', '/v1/clusters/nowhere/otlp/v1/logs', { body: '{}', headers: bearer('logs') });
    expect(elsewhere.body).toMatchObject({ code: expect.any(Number), message: expect.stringContaining('nowhere') });
  });

  it('takes an empty request, which exporters send to try the way', async () => {
    expect(await sendRaw(new Uint8Array(), { ...protobuf, ...bearer('logs') })).toMatchObject({ status: 200 });
  });

  it('is told to come back, and never 500, when the logs cannot be stored', async () => {
    await casebook.database.pool.query('ALTER TABLE event RENAME TO event_away');
    try {
      const { status, body } = await sendRaw(encodeProto('ExportLogsServiceRequest', { resourceLogs: [backOff('later')] }), {
        ...protobuf,
        ...bearer('logs'),
      });
      expect(status).toBe(503);
      expect(decodeProto('Status', body)).toMatchObject({ code: 14 });
    } finally {
      await casebook.database.pool.query('ALTER TABLE event_away RENAME TO event');
    }
  });

  it('is read at the common address too', async () => {
    const body = encodeProto('ExportLogsServiceRequest', { resourceLogs: [backOff('common')] });
    const answer = await casebook.send('POST', '/v1/clusters/logs/events', { body, headers: { ...protobuf, ...bearer('logs') } });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1, rejected: [] } });
  });
});

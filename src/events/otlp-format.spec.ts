import { describe, expect, it } from 'vitest';
import { encodeProto } from '../../test/support/otlp-proto.js';
import type { ReadResult } from './cluster-event.js';
import { readBody, readValues } from './read-body.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const nano = (time: string): string => `${Date.parse(`2026-06-01T${time}Z`)}000000`;
const attributes = (values: Record<string, string | number>): object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
const request = (records: object[], resource: Record<string, string> = {}) => ({
  resourceLogs: [{ resource: { attributes: attributes(resource) }, scopeLogs: [{ logRecords: records }] }],
});
const read = (records: object[], resource?: Record<string, string>): ReadResult => readValues([request(records, resource)], { now });

const pod = { 'k8s.object.kind': 'Pod', 'k8s.object.name': 'web-0', 'k8s.node.name': 'node-7' };
const event = {
  timeUnixNano: nano('11:31:40'),
  severityText: 'Warning',
  body: { stringValue: 'Back-off' },
  attributes: attributes({
    'k8s.event.reason': 'BackOff',
    'k8s.event.uid': 'u-1',
    'k8s.namespace.name': 'shop',
    'k8s.event.count': 12,
    'k8s.event.start_time': '2026-06-01 11:02:11 +0000 UTC',
  }),
};

describe('otlpFormat', () => {
  it('reads the attributes of the k8s_events receiver', () => {
    expect(read([event], pod).events[0]!.event).toEqual({
      uid: 'u-1',
      reason: 'BackOff',
      message: 'Back-off',
      type: 'Warning',
      reporter: '',
      host: 'node-7',
      object: { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: '', container: '' },
      count: 12,
      firstAt: Date.parse('2026-06-01T11:02:11Z'),
      lastAt: Date.parse('2026-06-01T11:31:40Z'),
      timed: true,
    });
  });

  it('does not take the collector for the component that reported an Event', () => {
    expect(read([event], { ...pod, 'service.name': 'otel-collector' }).events[0]!.event.reporter).toBe('');
    expect(read([event], { ...pod, 'k8s.event.source': 'kubelet' }).events[0]!.event.reporter).toBe('kubelet');
  });

  it('reads protobuf as it reads JSON', () => {
    const headers = { 'content-type': 'application/x-protobuf' };
    const bytes = encodeProto('ExportLogsServiceRequest', request([event], pod));
    expect(readBody(bytes, { now, headers })).toEqual(read([event], pod));
  });

  it('knows an Event of the receiver without uid by its name', () => {
    const named = {
      ...event,
      attributes: attributes({ 'k8s.event.reason': 'BackOff', 'k8s.event.name': 'web-0.17a', 'k8s.namespace.name': 'shop' }),
    };
    expect(read([named], pod).events[0]!.event.uid).toBe('name:shop/web-0.17a');
  });

  it('reads any other record as a line of the log of its Pod', () => {
    const line = { observedTimeUnixNano: nano('11:00:00'), severityNumber: 17, body: { stringValue: 'disk is full' } };
    const resource = {
      'service.name': 'shop',
      'k8s.pod.name': 'web-0',
      'k8s.namespace.name': 'shop',
      'k8s.container.name': 'app',
      'host.name': 'h',
    };
    expect(read([line], resource).events[0]!.event).toMatchObject({
      reason: '',
      message: 'disk is full',
      type: 'Warning',
      reporter: 'shop',
      host: 'h',
      object: { kind: 'Pod', namespace: 'shop', name: 'web-0', container: 'app' },
      lastAt: Date.parse('2026-06-01T11:00:00Z'),
      timed: true,
    });
    const unnamed = read([{ ...line, severityNumber: 9 }], { 'service.name': 'unknown_service:node' }).events[0]!.event;
    expect(unnamed).toMatchObject({ type: 'Normal', reporter: '', object: { kind: '', name: '' } });
  });

  it('counts the records that it refuses by their position', () => {
    const bad = { ...event, timeUnixNano: 'noon' };
    const { events, rejected } = read([event, bad, {}, 5 as unknown as object]);
    expect(events.map(({ index }) => index)).toEqual([0]);
    expect(rejected).toEqual([
      { index: 1, reason: 'timeUnixNano: "noon" is not an RFC 3339 time' },
      { index: 2, reason: 'a log record was expected to have a body or k8s.event.* attributes, but it has neither' },
      { index: 3, reason: '5 was found, an Event object was expected' },
    ]);
  });

  it('takes times as numbers too, and no time for none', () => {
    expect(read([{ ...event, timeUnixNano: Number(nano('11:31:40')) }]).events[0]!.event.lastAt).toBe(Date.parse('2026-06-01T11:31:40Z'));
    expect(read([{ ...event, timeUnixNano: '0' }]).events[0]!.event).toMatchObject({ lastAt: now, timed: false });
  });

  it('passes over the end of a pull, and a request without logs', () => {
    const pullEnd = { body: { kvlistValue: { values: attributes({ type: 'PullEnd' }) } } };
    expect(read([pullEnd])).toEqual({ events: [], rejected: [] });
    expect(readValues([{ resourceLogs: [] }], { now })).toEqual({ events: [], rejected: [] });
    expect(readValues([{}], { now, format: 'otlp' })).toEqual({ events: [], rejected: [] });
  });

  it('says what it expected when it was asked for by name', () => {
    expect(readValues([{ records: [] }], { now, format: 'opentelemetry' }).rejected).toEqual([
      { index: 0, reason: 'an OTLP ExportLogsServiceRequest was expected, but there is no resourceLogs' },
    ]);
  });

  it('does not follow values deeper than it has to', () => {
    let body: object = { stringValue: 'x' };
    for (let depth = 0; depth < 5_000; depth++) body = { arrayValue: { values: [body] } };
    expect(read([{ body }]).rejected).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { readBody, readValues } from './read-body.js';
import type { ReadResult } from './cluster-event.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const event = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { uid: 'u-1' },
  involvedObject: { kind: 'Pod', name: 'web-0' },
  reason: 'Failed',
};
const envelope = { specversion: '1.0', id: '7', source: '/ci', type: 'com.example.failed', time: '2026-06-01T11:00:00Z', subject: 'web' };
const binary = {
  'content-type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': '7',
  'ce-source': '/ci',
  'ce-type': 'com.example.failed',
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const read = (value: unknown): ReadResult => readValues([value], { now });
const readBinary = (body: string, headers: Record<string, string> = binary): ReadResult => readBody(Buffer.from(body), { now, headers });
const uids = ({ events }: ReadResult): string[] => events.map(({ event: { uid } }) => uid);

describe('cloudeventsFormat', () => {
  it.each([
    ['data', { ...envelope, data: event }],
    ['data as a text', { ...envelope, data: JSON.stringify(event) }],
    ['data_base64', { ...envelope, data_base64: base64(JSON.stringify(event)) }],
    ['a resource event of Argo Events', { ...envelope, data: { type: 'UPDATE', body: event, oldBody: { ...event, reason: 'Old' } } }],
    ['one without its envelope', { type: 'ADD', body: event }],
    ['one whose body is a text', { type: 'DELETE', body: JSON.stringify(event) }],
    ['an array of events', { ...envelope, data: [event] }],
  ])('reads the Event in %s', (_, value) => {
    const result = read(value);
    expect(uids(result)).toEqual(['u-1']);
    expect(result.events[0]!.event.reason).toBe('Failed');
  });

  it('reads the Event that is the body in binary mode', () => {
    expect(uids(readBinary(JSON.stringify(event)))).toEqual(['u-1']);
    expect(uids(readBinary(JSON.stringify({ type: 'ADD', body: event })))).toEqual(['u-1']);
    expect(uids(readBinary(JSON.stringify([event, { ...event, metadata: { uid: 'u-2' } }])))).toEqual(['u-1', 'u-2']);
  });

  it('makes an event of what else is in the envelope, the same one however it is sent', () => {
    const structured = read({ ...envelope, data: { message: 'Tests failed' } });
    expect(structured.events[0]!.event).toMatchObject({
      reason: 'com.example.failed',
      message: 'Tests failed',
      reporter: '/ci',
      type: '',
      object: { kind: '', name: 'web' },
      lastAt: Date.parse('2026-06-01T11:00:00Z'),
    });
    expect(uids(readBinary('{"message":"Tests failed"}'))).toEqual(uids(structured));
    expect(uids(read({ ...envelope, id: '8' }))).not.toEqual(uids(structured));
  });

  it.each([
    ['Tests failed', 'Tests failed'],
    [{ text: 'Tests failed' }, 'Tests failed'],
    [{ branch: 'main' }, '{"branch":"main"}'],
    [42, '42'],
    [null, ''],
    [undefined, ''],
  ])('takes %j for the message %j', (data, message) => {
    expect(read({ ...envelope, data }).events[0]!.event.message).toBe(message);
  });

  it('reads a text in binary mode, and percent-encoded headers', () => {
    const headers = { ...binary, 'content-type': 'text/plain', 'ce-subject': 'Euro%20%E2%82%AC', 'ce-source': '100%' };
    expect(readBinary('Tests failed', headers).events[0]!.event).toMatchObject({
      message: 'Tests failed',
      reporter: '100%',
      object: { name: 'Euro €' },
    });
  });

  it.each([
    [{ ...envelope, specversion: '0.3' }, 'specversion: "0.3" is not supported, 1.0 was expected'],
    [{ ...envelope, data_base64: '%%%' }, 'data_base64: is not base64 of a text in UTF-8'],
    [{ ...envelope, data_base64: '/w==' }, 'data_base64: is not base64 of a text in UTF-8'],
    [{ ...envelope, data_base64: 5 }, 'data_base64: 5 is not a text'],
    [{ ...envelope, time: 'noon' }, 'time: "noon" is not an RFC 3339 time'],
    [{ ...envelope, id: '' }, 'id: a CloudEvent with a type and an id, or an Event of Kubernetes, was expected; data is nothing'],
    [{ ...envelope, data: { kind: 'Pod', metadata: {} } }, 'kind: "Pod" was seen, a Kubernetes Event was expected'],
  ])('refuses %j', (value, reason) => {
    expect(read(value).rejected).toEqual([{ index: 0, reason }]);
  });

  it('survives data that nests deeper than the stack', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as unknown;
    expect(read({ ...envelope, data: deep }).events[0]!.event.reason).toBe('com.example.failed');
  });
});

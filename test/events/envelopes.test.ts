import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';
import { UnreadableBodyError } from '../../src/events/unreadable-body-error.js';
import { expectSound } from '../support/expect-sound.js';
import { encodeProto } from '../support/otlp-proto.js';
import { at, backOff } from '../support/fixture-events.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const read = (name: string, format?: string): ReadResult => readBody(fixture(name), { now, ...(format !== undefined && { format }) });
const protobuf = { 'content-type': 'application/x-protobuf' };

describe('alerts and envelopes as their senders write them', () => {
  it.each([undefined, 'alertmanager'])('reads a group of alerts of Alertmanager (format %s)', (format) => {
    const { events, rejected } = read('alertmanager.json', format);
    expect(events).toEqual([
      {
        index: 0,
        event: {
          uid: `alert:5ef77f1f8a3ecb8d:${at('11:02:11.482')}`,
          reason: 'KubeDeploymentReplicasMismatch',
          message: 'Deployment shop/web has not matched the expected number of replicas for longer than 15 minutes on cluster .',
          type: 'Warning',
          reporter: 'alertmanager',
          host: '',
          object: { kind: 'Deployment', namespace: 'shop', name: 'web', uid: '', container: '' },
          count: 1,
          firstAt: at('11:02:11.482'),
          lastAt: at('11:02:11.482'),
          timed: true,
          alert: { fingerprint: '5ef77f1f8a3ecb8d', resolved: false },
        },
      },
      {
        index: 1,
        event: {
          uid: `alert:c4c0a6c42dfa9e21:${at('10:20:00')}:resolved`,
          reason: 'KubePodCrashLooping',
          message: 'Pod shop/web-6d4cf56db6-x2x5p (app) is in waiting state (reason: "CrashLoopBackOff") on cluster .',
          type: 'Normal',
          reporter: 'alertmanager',
          host: '',
          object: {
            kind: 'Pod',
            namespace: 'shop',
            name: 'web-6d4cf56db6-x2x5p',
            uid: '1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d',
            container: 'app',
          },
          count: 1,
          firstAt: at('11:05:00'),
          lastAt: at('11:05:00'),
          timed: true,
          alert: { fingerprint: 'c4c0a6c42dfa9e21', resolved: true },
        },
      },
    ]);
    expect(rejected.map(({ index }) => index)).toEqual([2]);
  });

  it.each([undefined, 'cloudevents'])('reads a structured CloudEvent as Knative sends it (format %s)', (format) => {
    expect(read('cloudevents-structured.json', format)).toEqual({ events: [{ index: 0, event: backOff }], rejected: [] });
  });

  it.each([undefined, 'argo-events'])('reads a batch of CloudEvents: of Argo Events, in base64, of another kind (format %s)', (format) => {
    const { events, rejected } = read('cloudevents-batch.json', format);
    expect(events.slice(0, 2)).toEqual([0, 1].map((index) => ({ index, event: backOff })));
    expect(events[2]!.event).toMatchObject({ reason: 'com.example.build.failed', message: 'Tests failed', reporter: '/ci/pipelines/web' });
    expect([events.length, rejected.length]).toEqual([3, 0]);
  });

  it('reads the same data in binary mode', () => {
    const { data } = JSON.parse(fixture('cloudevents-structured.json').toString()) as { data: object };
    const headers = { 'content-type': 'application/json', 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/k8s', 'ce-type': 'update' };
    expect(readBody(Buffer.from(JSON.stringify(data)), { now, headers })).toEqual({ events: [{ index: 0, event: backOff }], rejected: [] });
  });

  it.each([undefined, 'opentelemetry'])(
    'reads the records of the k8s_events receiver, which leaves the reporter out (format %s)',
    (format) => {
      expect(read('otlp-k8s-events.json', format)).toEqual({ events: [{ index: 0, event: { ...backOff, reporter: '' } }], rejected: [] });
    },
  );

  it('reads the objects of the k8sobjects receiver, watched and pulled, and refuses what is no Event', () => {
    expect(read('otlp-k8s-objects.json', 'opentelemetry')).toEqual({
      events: [0, 1].map((index) => ({ index, event: backOff })),
      rejected: [{ index: 2, reason: 'kind: "Pod" was seen, a Kubernetes Event was expected' }],
    });
  });

  it.each(['otlp-k8s-events.json', 'otlp-k8s-objects.json'])('reads %s as protobuf to the same', (name) => {
    const bytes = encodeProto('ExportLogsServiceRequest', JSON.parse(fixture(name).toString()) as object);
    expect(readBody(bytes, { now, headers: protobuf })).toEqual(read(name));
  });
});

describe('readBody, given broken protobuf', () => {
  it('throws nothing but UnreadableBodyError, and gives sound events', () => {
    const bodies = ['otlp-k8s-events.json', 'otlp-k8s-objects.json'].map((name) =>
      encodeProto('ExportLogsServiceRequest', JSON.parse(fixture(name).toString()) as object),
    );
    const seen = { events: 0, unreadable: 0 };
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...bodies), damage, (body, changes) => {
        const bytes = Uint8Array.from(body);
        for (const [where, byte] of changes) bytes[where % bytes.length] = byte;
        try {
          for (const { event } of readBody(bytes, { now, headers: protobuf }).events) {
            expectSound(event, now);
            seen.events++;
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableBodyError);
          seen.unreadable++;
        }
      }),
      { seed: 21, numRuns: 3_000 },
    );
    expect(Math.min(seen.events, seen.unreadable)).toBeGreaterThan(300);
  });
});

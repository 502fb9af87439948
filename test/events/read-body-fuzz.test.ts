import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';
import { UnreadableBodyError } from '../../src/events/unreadable-body-error.js';
import { expectSound, storable } from '../support/expect-sound.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const encoder = new TextEncoder();

/** Values that are right for some field, wrong for most, and hostile for others. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    '\ud800',
    'Event',
    'List',
    'EventList',
    'Pod',
    'Node',
    'ADDED',
    'ERROR',
    'BOOKMARK',
    'kubelet',
    'v1',
    'events.k8s.io/v1',
    'spec.containers{app}',
    'spec.initContainers{}',
    '2026-06-01T11:00:00Z',
    '2026-06-01T11:00:00.123456+08:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    0,
    -1,
    1.5,
    7,
    2_147_483_647,
    2_147_483_648,
    1e308,
    true,
    false,
    [],
    {},
    'x'.repeat(256),
    'x'.repeat(257),
    'm'.repeat(65_537),
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.double(),
);

function record(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.record(fields, { requiredKeys: [] });
}

const text = fc.oneof({ weight: 60, arbitrary: fc.string({ maxLength: 12 }) }, { weight: 1, arbitrary: value });
const time = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.date({ min: new Date('2026-05-01'), max: new Date(now), noInvalidDate: true }).map((date) => date.toISOString()),
  },
  { weight: 1, arbitrary: value },
);
const count = fc.oneof({ weight: 60, arbitrary: fc.nat(100) }, { weight: 1, arbitrary: value });
const owner = record({ kind: text, name: text, controller: fc.oneof(fc.boolean(), value) });
const object = fc.oneof(
  {
    weight: 30,
    arbitrary: record({
      kind: fc.oneof(text, fc.constant('Node')),
      namespace: text,
      name: text,
      uid: text,
      fieldPath: text,
      deleted: fc.boolean(),
      ownerReferences: fc.array(owner, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: value },
);
const source = record({ component: text, host: text });
const event = record({
  kind: fc.constantFrom('Event', 'Event', '', undefined, null, 'Pod'),
  apiVersion: fc.constantFrom('v1', undefined, 'events.k8s.io/v1', null),
  metadata: record({ uid: text, name: text, namespace: text, creationTimestamp: time }),
  involvedObject: object,
  regarding: object,
  reason: text,
  message: text,
  note: text,
  type: text,
  source,
  deprecatedSource: source,
  reportingComponent: text,
  reportingController: text,
  reportingInstance: text,
  count,
  deprecatedCount: count,
  series: record({ count, lastObservedTime: time }),
  firstTimestamp: time,
  lastTimestamp: time,
  eventTime: time,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
  ['__proto__']: value,
  items: value,
  object: value,
});
const element: fc.Arbitrary<unknown> = fc.letrec<{ element: unknown }>((tie) => ({
  element: fc.oneof(
    { weight: 8, arbitrary: event },
    { weight: 1, arbitrary: value },
    {
      weight: 1,
      arbitrary: record({ type: fc.constantFrom('ADDED', 'DELETED', 'ERROR', 'BOOKMARK', 5), object: tie('element') }),
    },
    {
      weight: 1,
      arbitrary: record({
        kind: fc.constantFrom('List', 'EventList', undefined),
        items: fc.oneof(fc.array(tie('element'), { maxLength: 3 }), value),
      }),
    },
    { weight: 1, arbitrary: fc.array(tie('element'), { maxLength: 3 }) },
  ),
})).element;

/** A body, whole or with some bytes replaced. */
const body = fc
  .tuple(
    fc.array(element, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('\n', '', '\r\n\n', 'broken\n'),
    fc.constantFrom(undefined, 2),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 2 }),
  )
  .map(([elements, separator, indent, damage]) => {
    const bytes = encoder.encode(elements.map((each) => JSON.stringify(each, undefined, indent)).join(separator));
    for (const [at, byte] of damage) bytes[at % bytes.length] = byte;
    return bytes;
  });

function read(bytes: Uint8Array): ReadResult {
  try {
    return readBody(bytes, { now });
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableBodyError);
    expect((error as Error).message).toMatch(/^[^\0]+\.$/s);
    return { events: [], rejected: [] };
  }
}

describe('readBody, given anything', () => {
  it('throws nothing but UnreadableBodyError, and gives events that keep what the type promises', () => {
    let events = 0;
    let rejected = 0;
    fc.assert(
      fc.property(body, (bytes) => {
        const result = read(bytes);
        for (const { event } of result.events) expectSound(event, now);
        for (const { reason } of result.rejected) expect(reason.length > 0 && reason.length < 600 && storable(reason), reason).toBe(true);
        const indices = [...result.events, ...result.rejected].map(({ index }) => index);
        expect(new Set(indices).size).toBe(indices.length);
        events += result.events.length;
        rejected += result.rejected.length;
      }),
      { seed: 20_260_601, numRuns: 5_000 },
    );
    // Guards the generator: had it drifted into one kind of input, the property would say little.
    expect(Math.min(events, rejected)).toBeGreaterThan(1_000);
  });

  it('survives arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const { event } of read(bytes).events) expectSound(event, now);
      }),
      { seed: 4, numRuns: 5_000 },
    );
  });

  it('reads the same bytes to the same result', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        expect(read(bytes)).toEqual(read(Uint8Array.from(bytes)));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

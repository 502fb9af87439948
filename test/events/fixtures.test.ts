import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';
import { at, backOff, notReady } from '../support/fixture-events.js';

const now = Date.parse('2026-06-01T12:00:00Z');

function readFixture(name: string) {
  return readBody(readFileSync(new URL(`fixtures/${name}`, import.meta.url)), { now });
}

const unscheduled: ClusterEvent = {
  uid: 'd3b07384-d9a0-4c4b-9f0e-5a1e2b3c4d5e',
  reason: 'FailedScheduling',
  message:
    '0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
  type: 'Warning',
  reporter: 'default-scheduler',
  host: '',
  object: {
    kind: 'Pod',
    namespace: 'search',
    name: 'search-0',
    uid: '6b1f6c1e-2f65-4a9b-8b0a-2d9b1a7c5e33',
    container: '',
  },
  count: 6,
  firstAt: at('11:03:20.458'),
  lastAt: at('11:33:21.004'),
  timed: true,
};

describe('bodies as senders write them', () => {
  it('reads the List that kubectl prints', () => {
    expect(readFixture('kubectl-list.json')).toEqual({
      events: [
        { index: 0, event: backOff },
        { index: 1, event: notReady },
      ],
      rejected: [],
    });
  });

  it("reads the API server's EventList, whose items have no kind", () => {
    expect(readFixture('event-list.json')).toEqual({
      events: [
        { index: 0, event: backOff },
        { index: 1, event: unscheduled },
      ],
      rejected: [],
    });
  });

  it('reads an event of the newer API as core/v1 shows it, with null times and an empty source', () => {
    const single = { ...unscheduled, count: 1, lastAt: unscheduled.firstAt };
    expect(readFixture('core-v1-new-api-event.json')).toEqual({ events: [{ index: 0, event: single }], rejected: [] });
  });

  it('reads events.k8s.io/v1 to the same events as core/v1', () => {
    expect(readFixture('events-v1.json')).toEqual({
      events: [
        { index: 0, event: unscheduled },
        { index: 1, event: backOff },
      ],
      rejected: [],
    });
  });

  it('reads watch lines: a bookmark is nothing, a deletion is the last state, an error is refused', () => {
    expect(readFixture('watch.ndjson')).toEqual({
      events: [
        { index: 0, event: { ...backOff, count: 11, lastAt: at('11:26:39') } },
        { index: 1, event: backOff },
        { index: 3, event: notReady },
      ],
      rejected: [{ index: 4, reason: 'the watch ended with an error: too old resource version: 47002 (49300)' }],
    });
  });

  it("reads the event exporter's event with its owner and deletion", () => {
    const owner = { kind: 'ReplicaSet', name: 'checkout-6d4b75cb6d' };
    const event = { ...backOff, object: { ...backOff.object, owner, deleted: true } };
    expect(readFixture('event-exporter.json')).toEqual({ events: [{ index: 0, event }], rejected: [] });
  });
});

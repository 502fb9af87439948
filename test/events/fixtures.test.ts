import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const at = (time: string) => Date.parse(`2026-06-01T${time}Z`);

function readFixture(name: string) {
  return readBody(readFileSync(new URL(`fixtures/${name}`, import.meta.url)), { now });
}

const backOff: ClusterEvent = {
  uid: '8c1be0a6-3b8e-4a8c-b1a8-5a7f0f6d9e11',
  reason: 'BackOff',
  message: 'Back-off restarting failed container app in pod checkout-6d4b75cb6d-x2x7p_shop(1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d)',
  type: 'Warning',
  reporter: 'kubelet',
  host: 'node-7',
  object: {
    kind: 'Pod',
    namespace: 'shop',
    name: 'checkout-6d4b75cb6d-x2x7p',
    uid: '1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d',
    container: 'app',
  },
  count: 12,
  firstAt: at('11:02:11'),
  lastAt: at('11:31:40'),
  timed: true,
};

const notReady: ClusterEvent = {
  uid: 'a5d2f6a1-97a3-4c55-8d7b-0b7c7f6f3a22',
  reason: 'NodeNotReady',
  message: 'Node node-7 status is now: NodeNotReady',
  type: 'Normal',
  reporter: 'node-controller',
  host: '',
  object: { kind: 'Node', namespace: '', name: 'node-7', uid: '', container: '' },
  count: 1,
  firstAt: at('10:58:03'),
  lastAt: at('10:58:03'),
  timed: true,
};

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

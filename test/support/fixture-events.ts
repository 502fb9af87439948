import type { ClusterEvent } from '../../src/events/cluster-event.js';

/** A time of the day of test/events/fixtures, milliseconds since the epoch. */
export const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);

/** The Event of a crash loop in test/events/fixtures, as the API server has it, whichever sender tells of it. */
export const backOff: ClusterEvent = {
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

/** The Event of a Node that is not ready in test/events/fixtures. */
export const notReady: ClusterEvent = {
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

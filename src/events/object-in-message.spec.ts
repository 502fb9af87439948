import { describe, expect, it } from 'vitest';
import { objectInMessage } from './object-in-message.js';

const UID = '1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d';

describe('objectInMessage', () => {
  it.each([
    ['Pod', `Back-off restarting failed container app in pod web-0_shop(${UID})`, { name: 'web-0', namespace: 'shop', uid: UID }],
    ['Pod', `(combined from similar events): pod "a.b-c_kube-system(${UID})"`, { name: 'a.b-c', namespace: 'kube-system', uid: UID }],
    ['Node', 'Node node-7 status is now: NodeNotReady', { name: 'node-7', namespace: '', uid: '' }],
    ['Node', 'Node 10.0.0.7 event: Registered Node 10.0.0.7 in Controller', { name: '10.0.0.7', namespace: '', uid: '' }],
  ])('finds the %s of %j', (kind, message, object) => {
    expect(objectInMessage(kind, message)).toEqual(object);
  });

  it.each([
    ['Pod', 'Successfully assigned shop/web-0 to node-7'],
    ['Pod', 'web-0_shop(not-a-uid)'],
    ['ReplicaSet', `Deleted pod web-0_shop(${UID})`],
    ['Node', 'the Node node-7 status is now: NodeNotReady'],
    ['', 'Node node-7 status is now: NodeNotReady'],
  ])('does not guess the %s of %j', (kind, message) => {
    expect(objectInMessage(kind, message)).toBeUndefined();
  });

  it('takes time in proportion to the message', () => {
    for (const piece of ['a-', 'a_', 'a_b(', 'Node a ']) {
      const started = performance.now();
      objectInMessage('Pod', piece.repeat(65_536 / piece.length));
      objectInMessage('Node', piece.repeat(65_536 / piece.length));
      expect(performance.now() - started).toBeLessThan(500);
    }
  });
});

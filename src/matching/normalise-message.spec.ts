import { describe, expect, it } from 'vitest';
import { normaliseMessage } from './normalise-message.js';

describe('normaliseMessage', () => {
  it.each([
    ['(combined from similar events): Back-off pulling image "x"', 'Back-off pulling image "x"'],
    ['E0927 14:15:31.372225 26037 file.go:77] Failed', 'Failed'],
    ['I0101 19:40:05.234354      10 leaderelection.go:251] successfully acquired lease', 'successfully acquired lease'],
    ['Oct 08 21:01:55 k8s-node3 kube-proxy[145725]: E1008 21:01:55.367127  145725 proxier.go:1285] Failed to execute', 'Failed to execute'],
    ['2019-10-11T06:22:38.1196209Z stderr F E1011 06:22:38.119140       1 proxier.go:732] Failed to ensure', 'Failed to ensure'],
    [
      '2026-07-29T06:19:49.155737+00:00 controller-1 kernel: kworker/u16:4: page allocation failure: order:3',
      'kworker/u16:4: page allocation failure: order:3',
    ],
    ['May 15 23:09:27 ubuntu-1 kernel: [  514.682838] Memory cgroup out of memory', 'Memory cgroup out of memory'],
    ['<13>May 15 23:09:27 host dockerd[5347]: dirperm1 breaks', 'dirperm1 breaks'],
    ['[ 1234.567890] oom-kill:constraint', 'oom-kill:constraint'],
    ['(combined from similar events): (combined from similar events): x', 'x'],
    ['2024-01-02 03:04:05,678 Readiness probe failed', 'Readiness probe failed'],
  ])('takes the prefix off %s', (text, expected) => {
    expect(normaliseMessage(text)).toBe(expected);
  });

  it.each([
    '0/4 nodes are available: 2 Insufficient cpu.',
    'E4019 Can not use lb',
    'Error: secret "kbot" not found',
    '[ERROR] plugin/errors: 2 x',
    'W1001 CreateLoadBalancer',
    'Warning: kubelet[1] is odd',
    '503',
  ])('leaves %s as it is', (text) => {
    expect(normaliseMessage(text)).toBe(text);
  });
});

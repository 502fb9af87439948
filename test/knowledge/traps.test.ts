import { describe, expect, it } from 'vitest';
import type { Provider } from '../../src/knowledge/problem-file.js';
import { compileMatcher } from '../../src/matching/compile-matcher.js';
import type { Diagnosis } from '../../src/matching/diagnosis.js';
import { matchEvent } from '../../src/matching/match-event.js';
import { bundledKnowledge } from '../support/bundled-knowledge.js';

const { knowledge } = await bundledKnowledge();
const matcher = compileMatcher(knowledge.problems);

interface Sent {
  kind?: string;
  reason?: string;
  type?: string;
  reporter?: string;
  provider?: Provider;
}

function diagnose(message: string, { kind = '', reason = '', type = '', reporter = '', provider }: Sent): Diagnosis[] {
  return matchEvent(matcher, { reason, type, reporter, message, object: { kind } }, { provider });
}

/** The trap, what is sent, and the problem that has to come first ('' for no diagnosis at all, '*' where it does not matter). */
type Trap = [trap: string, message: string, sent: Sent, first: string, never?: string[]];

const ingress = { kind: 'Ingress', reporter: 'l7-lb-controller', type: 'Warning' };
const service = { kind: 'Service', reporter: 'service-controller', type: 'Warning' };
const alibaba = { ...service, reason: 'SyncLoadBalancerFailed', provider: 'ack' as const };
const sandbox = { kind: 'Pod', reporter: 'kubelet', reason: 'FailedCreatePodSandBox', type: 'Warning' };
const kubelet = { kind: 'Pod', reporter: 'kubelet' };
const proxy = { kind: 'Pod', reporter: 'kube-proxy' };
const kernel = { kind: 'Node', reporter: 'kernel' };

const traps: Trap[] = [
  ['a klog header of 1 October', 'W1001 14:15:31.372225 26037 controller.go:77] sync went on', ingress, '', ['tke/ingress/W1001']],
  ['a klog header cut short', 'W1001 14:15:31.372225 26037 ...', ingress, '', ['tke/ingress/W1001']],
  ['a klog header of 2 October', 'W1002 09:01:02.000003    1 controller.go:12] queue is empty', ingress, '', ['tke/ingress/W1002']],
  ['the true warning W1001', 'W1001 Loadbalancer not creatted by TKE ingress.', ingress, 'tke/ingress/W1001'],
  ['LimitExceeded in RequestLimitExceeded', 'CreateLoadBalancer RequestLimitExceeded', ingress, 'tke/ingress/E4000', ['tke/ingress/E4003']],
  ['LimitExceeded of CreateLoadBalancer', 'CreateLoadBalancer LimitExceeded', ingress, 'tke/ingress/E4003', ['tke/ingress/E4000']],
  [
    'LimitExceeded of CreateListener',
    'CreateListener LimitExceeded',
    ingress,
    'tke/ingress/E4004',
    ['tke/ingress/E4003', 'tke/ingress/E4005'],
  ],
  ['LimitExceeded of CreateRule', 'CreateRule LimitExceeded', ingress, 'tke/ingress/E4005', ['tke/ingress/E4003', 'tke/ingress/E4004']],
  ['Ingress rules invalid, whole', 'Ingress rules invalid.', ingress, 'tke/ingress/E4022', ['tke/ingress/E4013']],
  [
    'Ingress rules invalid, the start of another',
    "Ingress rules invalid. 'spec.rules.http' is empty.",
    ingress,
    'tke/ingress/E4013',
    ['tke/ingress/E4022'],
  ],
  [
    'the heading that a document gives to E4023',
    'create lb error: ResourceInsufficient',
    ingress,
    'tke/ingress/E4025',
    ['tke/ingress/E4023'],
  ],
  ['E4023 itself', 'Ingress Sync ClientError. ErrorCode: E4023 Details: Ingress: a/b', ingress, 'tke/ingress/E4023', ['tke/ingress/E4025']],
  ['InvalidParameterValue of CreateListener', 'CreateListener InvalidParameterValue', ingress, 'tke/ingress/E4012', ['tke/ingress/E4024']],
  [
    'InvalidParameterValue of the load balancer',
    'create lb error: InvalidParameterValue',
    ingress,
    'tke/ingress/E4024',
    ['tke/ingress/E4012'],
  ],
  ['context deadline exceeded alone', 'context deadline exceeded', kubelet, ''],
  [
    'context deadline exceeded of a sandbox',
    'Failed create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    sandbox,
    'kubernetes/sandbox/runtime-timeout',
    ['kubernetes/node/disk-full'],
  ],
  [
    'context deadline exceeded of a probe',
    'Liveness probe failed: Get "http://10.0.0.1:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    { ...kubelet, reason: 'Unhealthy', type: 'Warning' },
    'kubernetes/probe/timeout',
  ],
  [
    'context deadline exceeded of a hanging Docker',
    'error determining status: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    { ...kubelet, reason: 'FailedSync', type: 'Warning' },
    'kubernetes/node/runtime-hung',
  ],
  [
    'a sandbox that changed, without a cause',
    'Pod sandbox changed, it will be killed and re-created.',
    { ...kubelet, reason: 'SandboxChanged', type: 'Normal' },
    'kubernetes/sandbox/changed',
  ],
  [
    'a sandbox that is killed for a limit too small',
    'Failed to start sandbox container for pod "x": Error response from daemon: OCI runtime create failed: container_linux.go:348: starting container process caused "process_linux.go:301: running exec setns process for init caused \\"signal: killed\\"": unknown',
    sandbox,
    'kubernetes/container/memory-limit-too-small',
    ['kubernetes/node/memory-fragmented'],
  ],
  [
    'a sandbox between two Dockers',
    'Failed create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox container for pod "x": Error response from daemon: ttrpc: client shutting down: read unix @->@/containerd-shim/moby/0b/shim.sock: read: connection reset by peer: unknown',
    sandbox,
    'kubernetes/sandbox/runtime-shim-closed',
  ],
  [
    'exit status 6 of setns',
    'oci runtime error: container_linux.go:247: starting container process caused "process_linux.go:245: running exec setns process for init caused \\"exit status 6\\""',
    kubelet,
    'kubernetes/node/memory-fragmented',
    ['kubernetes/container/memory-limit-too-small'],
  ],
  [
    'exit status 64 is not 6',
    'running exec setns process for init caused "exit status 64"',
    kubelet,
    '*',
    ['kubernetes/node/memory-fragmented'],
  ],
  [
    'the xtables lock of an old iptables',
    'Failed to execute iptables-restore: exit status 4 (Another app is currently holding the xtables lock. Perhaps you want to use the -w option?)',
    proxy,
    'kubernetes/kube-proxy/xtables-no-wait',
    ['kubernetes/kube-proxy/xtables-held-too-long'],
  ],
  [
    'the xtables lock held too long',
    'Failed to ensure that filter chain KUBE-SERVICES exists: error creating chain "KUBE-EXTERNAL-SERVICES": exit status 4: Another app is currently holding the xtables lock. Stopped waiting after 5s.',
    proxy,
    'kubernetes/kube-proxy/xtables-held-too-long',
    ['kubernetes/kube-proxy/xtables-no-wait'],
  ],
  [
    'iptables-restore, exit status 1',
    'Failed to execute iptables-restore: exit status 1 (iptables-restore: line 37 failed)',
    proxy,
    'kubernetes/kube-proxy/xtables-lock-not-mounted',
  ],
  [
    'iptables-restore, exit status 2',
    "Failed to execute iptables-restore: exit status 2 (iptables-restore v1.8.4 (legacy): Couldn't load target `KUBE-MARK-DROP':No such file or directory",
    proxy,
    'kubernetes/kube-proxy/mark-drop-chain-missing',
  ],
  [
    'page allocation failure with a full stop',
    'mysqld: page allocation failure. order:4, mode:0x10c0d0',
    kernel,
    'kubernetes/node/memory-fragmented',
  ],
  [
    'page allocation failure with a colon',
    'runc:[1:CHILD]: page allocation failure: order:6, mode:0x10c0d0',
    kernel,
    'kubernetes/node/memory-fragmented',
  ],
  [
    'page allocation failure of a single page',
    'java: page allocation failure: order:0, mode:0x280da',
    kernel,
    'kubernetes/node/system-oom',
    ['kubernetes/node/memory-fragmented'],
  ],
  [
    'no space on the disk of the runtime',
    'Failed create pod sandbox: rpc error: code = Unknown desc = failed to create a sandbox for pod "x": Error response from daemon: mkdir /var/lib/docker/aufs/mnt/1b: no space left on device',
    sandbox,
    'kubernetes/node/disk-full',
  ],
  [
    'no space on the disk of kubelet',
    'Update plugin resources failed due to failed to write checkpoint file "kubelet_internal_checkpoint": write /var/lib/kubelet/device-plugins/.1: no space left on device, which is unexpected.',
    kubelet,
    'kubernetes/node/disk-full',
  ],
  [
    'no space for inotify watches',
    'failed to create fsnotify watcher: inotify_add_watch /sys/fs/cgroup/cpu: no space left on device',
    kubelet,
    'kubernetes/node/inotify-exhausted',
    ['kubernetes/node/disk-full'],
  ],
  [
    'no space for cgroups',
    'mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod79fe803c: no space left on device',
    kubelet,
    'kubernetes/node/cgroup-leak',
    ['kubernetes/node/disk-full'],
  ],
  [
    'a load balancer created by kubernetes',
    'alicloud: the loadbalancer lb-2zexxxx can not be reused, can not reuse loadbalancer created by kubernetes.',
    alibaba,
    'ack/service/reused-lb-created-by-ccm',
    ['ack/service/already-bound'],
  ],
  [
    'a load balancer already associated',
    'the loadbalancer lb-2zexxxx can not be reused, service has been associated with ip [1.2.3.4], cannot be bound to ip [5.6.7.8]',
    alibaba,
    'ack/service/already-bound',
    ['ack/service/reused-lb-created-by-ccm'],
  ],
  [
    'a port range that speaks of a string targetPort',
    'The specified Port must be between 1 and 65535.',
    alibaba,
    'ack/service/target-port-not-integer',
    ['ack/service/invalid-parameter'],
  ],
  [
    'memory in thousandths of a byte',
    'Error: failed to create containerd task: OCI runtime create failed: container init was OOM-killed (memory limit too low?): unknown',
    { ...kubelet, reason: 'Failed', type: 'Warning' },
    'kubernetes/container/memory-limit-too-small',
  ],
  ['a code of another product', 'ErrorCode: E4012 from payment gateway', { kind: 'Pod', reporter: 'payment-service' }, ''],
  [
    'a code of another product about an Ingress',
    'ErrorCode: E4012 from payment gateway',
    { kind: 'Ingress', reporter: 'payment-service' },
    '',
  ],
  ['a code of nobody', '[ErrorCode: E4012] something went wrong', {}, ''],
  ['a code in an image tag', 'Successfully pulled image "app:E4011-rc1" in 1.2s', { ...kubelet, reason: 'Pulled', type: 'Normal' }, ''],
  ['a code in a hash', 'sha256 6bde69ea46cdef55e4011c6dad23f6fe', {}, ''],
  ['a code in the cluster of another vendor', 'Ingress Sync ClientError. ErrorCode: E4011 Details: x', { ...ingress, provider: 'ack' }, ''],
  ['one code, of a Service', 'Service Sync ClientError. ErrorCode: E4011 Details: x', service, 'tke/service/E4011', ['tke/ingress/E4011']],
  ['one code, of an Ingress', 'Ingress Sync ClientError. ErrorCode: E4011 Details: x', ingress, 'tke/ingress/E4011', ['tke/service/E4011']],
  [
    'no nodes for a load balancer of Alibaba',
    'There are no available nodes for LoadBalancer',
    { ...service, reason: 'UnAvailableLoadBalancer', provider: 'ack' },
    'ack/service/no-available-backends',
    ['kubernetes/load-balancer/no-available-nodes'],
  ],
  [
    'no nodes for a load balancer of upstream',
    'There are no available nodes for LoadBalancer',
    { ...service, reason: 'UnAvailableLoadBalancer', provider: 'kubernetes' },
    'kubernetes/load-balancer/no-available-nodes',
    ['ack/service/no-available-backends'],
  ],
  ['E4038 with the wording of expiry', 'ErrorCode: E4038 Certificate Out of Date', ingress, 'tke/ingress/E4039', ['tke/ingress/E4038']],
  ['E4038 with the wording of the type', 'ErrorCode: E4038 Certificate Type Error', ingress, 'tke/ingress/E4038', ['tke/ingress/E4039']],
  ['E4044 with either wording', 'Ingress Sync ClientError. ErrorCode: E4044 Details: rule-mix', ingress, 'tke/ingress/E4044'],
  ['E6009 of either document', 'Ingress Sync InternalError. ErrorCode: E6009 Details: Ingress InternalError', ingress, 'tke/ingress/E6009'],
  [
    'an eviction that is taken back',
    'Cancelling deletion of Pod default/web-0',
    { kind: 'Pod', reporter: 'taint-eviction-controller', reason: 'TaintManagerEviction', type: 'Normal' },
    '',
  ],
  ['a success of a sync', 'Service Sync Success. RetrunCode: S2000', { ...service, reason: 'EnsureServiceSuccess', type: 'Normal' }, ''],
];

describe('the known traps', () => {
  it.each(traps)('%s', (_, message, sent, first, never = []) => {
    const problems = diagnose(message, sent).map(({ problem }) => problem);
    if (first !== '*') expect(problems[0] ?? '').toBe(first);
    for (const problem of never) expect(problems).not.toContain(problem);
  });

  it('documents that contradict each other give both causes under one problem', () => {
    for (const id of ['tke/ingress/E4012', 'tke/ingress/E4044', 'tke/ingress/E6009', 'tke/service/E4036']) {
      expect(knowledge.byId.get(id)?.causes.length, id).toBeGreaterThan(1);
    }
  });
});

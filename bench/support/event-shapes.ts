import type { SeededRandom } from '../../test/support/seeded-random.js';

/** Whom a made-up event concerns. */
export interface Patient {
  namespace: string;
  /** Namespace and name of the Deployment that the Pod belongs to. */
  deployment: string;
  pod: string;
  node: string;
  image: string;
}

/** One kind of event of a real cluster, and the problem that it shows. */
export interface Shape {
  kind: 'Pod' | 'Node';
  reason: string;
  type: 'Normal' | 'Warning';
  reporter: string;
  /** True when the event names a container. */
  container: boolean;
  /** Id of the problem; null for an event without one. */
  problem: string | null;
  message: (patient: Patient, random: SeededRandom) => string;
}

const kubelet = { kind: 'Pod', type: 'Warning', reporter: 'kubelet', container: false } as const;
const inContainer = { ...kubelet, container: true } as const;
const scheduler = { ...kubelet, reporter: 'default-scheduler', reason: 'FailedScheduling' } as const;
const normal = { ...kubelet, type: 'Normal', problem: null } as const;
const node = { kind: 'Node', type: 'Normal', reporter: 'kubelet', container: false } as const;

const hex = (random: SeededRandom, length: number): string => Array.from({ length }, () => random.below(16).toString(16)).join('');
const ip = (random: SeededRandom): string => `10.244.${random.below(256)}.${random.below(256)}`;
const volume = (random: SeededRandom): string => `pvc-${hex(random, 8)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 12)}`;

/** The events of a busy cluster: work as usual, and a dozen kinds of trouble. */
export const SHAPES: readonly Shape[] = [
  {
    ...normal,
    reporter: 'default-scheduler',
    reason: 'Scheduled',
    message: ({ namespace, pod, node: to }) => `Successfully assigned ${namespace}/${pod} to ${to}`,
  },
  { ...normal, container: true, reason: 'Pulling', message: ({ image }) => `Pulling image "${image}"` },
  {
    ...normal,
    container: true,
    reason: 'Pulled',
    message: ({ image }, random) =>
      `Successfully pulled image "${image}" in ${random.below(900)}ms (${random.below(4000)}ms including waiting). Image size: ${random.below(90_000_000)} bytes.`,
  },
  { ...normal, container: true, reason: 'Created', message: () => 'Created container: app' },
  { ...normal, container: true, reason: 'Started', message: () => 'Started container app' },
  { ...normal, reporter: 'cluster-autoscaler', reason: 'NotTriggerScaleDown', message: () => 'pod is not blocking scale down' },
  {
    ...scheduler,
    problem: 'kubernetes/scheduling/insufficient-cpu',
    message: (_, random) =>
      `0/${20 + random.below(20)} nodes are available: ${2 + random.below(18)} Insufficient cpu. preemption: 0/40 nodes are available: 40 No preemption victims found for incoming pod.`,
  },
  {
    ...scheduler,
    problem: 'kubernetes/scheduling/untolerated-taint',
    message: (_, random) =>
      `0/${3 + random.below(9)} nodes are available: 3 node(s) had untolerated taint {dedicated: gpu-${random.below(9)}}. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.`,
  },
  {
    ...inContainer,
    reason: 'Failed',
    problem: 'kubernetes/image/not-found',
    message: ({ image }) =>
      `Failed to pull image "${image}": rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
  },
  {
    ...inContainer,
    reason: 'Failed',
    problem: 'kubernetes/image/registry-unreachable',
    message: ({ image }, random) =>
      `Failed to pull image "${image}": rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://registry.shop.example/v2/app/manifests/latest": dial tcp ${ip(random)}:443: i/o timeout`,
  },
  {
    ...inContainer,
    reason: 'BackOff',
    problem: 'kubernetes/container/crash-loop',
    message: ({ pod, namespace }, random) => `Back-off restarting failed container app in pod ${pod}_${namespace}(${hex(random, 32)})`,
  },
  {
    ...inContainer,
    reason: 'Unhealthy',
    problem: 'kubernetes/probe/http-status',
    message: (_, random) => `Readiness probe failed: HTTP probe failed with statuscode: ${500 + random.below(4)}`,
  },
  {
    ...inContainer,
    reason: 'Unhealthy',
    problem: 'kubernetes/probe/connection-refused',
    message: (_, random) => `Readiness probe failed: dial tcp ${ip(random)}:8080: connect: connection refused`,
  },
  {
    ...kubelet,
    reason: 'FailedMount',
    problem: 'kubernetes/volume/config-object-not-found',
    message: (_, random) => `MountVolume.SetUp failed for volume "settings" : configmap "settings-${random.below(50)}" not found`,
  },
  {
    ...kubelet,
    reporter: 'attachdetach-controller',
    reason: 'FailedAttachVolume',
    problem: 'kubernetes/volume/multi-attach',
    message: (_, random) =>
      `Multi-Attach error for volume "${volume(random)}" Volume is already exclusively attached to one node and can't be attached to another`,
  },
  {
    ...kubelet,
    reason: 'FailedCreatePodSandBox',
    problem: 'kubernetes/sandbox/cni-binary-missing',
    message: (_, random) =>
      `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${hex(random, 64)}": plugin type="flannel" failed (add): failed to find plugin "flannel" in path [/opt/cni/bin]`,
  },
  {
    ...node,
    reason: 'NodeHasDiskPressure',
    problem: 'kubernetes/node/disk-pressure',
    message: ({ node: name }) => `Node ${name} status is now: NodeHasDiskPressure`,
  },
  {
    ...node,
    reason: 'NodeNotReady',
    problem: 'kubernetes/node/not-ready',
    message: ({ node: name }) => `Node ${name} status is now: NodeNotReady`,
  },
];

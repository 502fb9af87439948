/** Where the objects of a kind are read, the newest group version first: older clusters serve an older one. */
interface KindPath {
  groups: readonly string[];
  plural: string;
  clusterScoped?: true;
}

const core = (plural: string): KindPath => ({ groups: ['/api/v1'], plural });
const apps = (plural: string): KindPath => ({ groups: ['/apis/apps/v1'], plural });
const clusterScoped = (path: KindPath): KindPath => ({ ...path, clusterScoped: true });

/** The kinds whose end is noticed. A further kind is a line here and one in the role that the watcher is given. */
const KINDS: Readonly<Record<string, KindPath>> = {
  Pod: core('pods'),
  Node: clusterScoped(core('nodes')),
  Service: core('services'),
  PersistentVolumeClaim: core('persistentvolumeclaims'),
  PersistentVolume: clusterScoped(core('persistentvolumes')),
  ReplicationController: core('replicationcontrollers'),
  Namespace: clusterScoped(core('namespaces')),
  Deployment: apps('deployments'),
  ReplicaSet: apps('replicasets'),
  StatefulSet: apps('statefulsets'),
  DaemonSet: apps('daemonsets'),
  Job: { groups: ['/apis/batch/v1'], plural: 'jobs' },
  CronJob: { groups: ['/apis/batch/v1', '/apis/batch/v1beta1'], plural: 'cronjobs' },
  HorizontalPodAutoscaler: { groups: ['/apis/autoscaling/v2', '/apis/autoscaling/v1'], plural: 'horizontalpodautoscalers' },
  PodDisruptionBudget: { groups: ['/apis/policy/v1', '/apis/policy/v1beta1'], plural: 'poddisruptionbudgets' },
  Ingress: {
    groups: ['/apis/networking.k8s.io/v1', '/apis/networking.k8s.io/v1beta1', '/apis/extensions/v1beta1'],
    plural: 'ingresses',
  },
};

/** Kinds whose end is noticed, in the order of the alphabet. */
export const OBJECT_KINDS: readonly string[] = Object.keys(KINDS).sort();

/** Addresses below the server at which an object of a kind may be, in the order in which they are tried; none for an unknown kind. */
export function objectPaths({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string[] {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind]! : undefined;
  if (!known || name === '' || (!known.clusterScoped && namespace === '')) return [];
  const folder = known.clusterScoped ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return known.groups.map((group) => `${group}${folder}/${known.plural}/${encodeURIComponent(name)}`);
}

const KINDS = [
  'Pod Node Namespace Service ServiceAccount Secret ConfigMap Ingress Deployment DaemonSet StatefulSet ReplicaSet Job CronJob',
  'ReplicationController PersistentVolume PersistentVolumeClaim HorizontalPodAutoscaler ClusterRole ClusterRoleBinding',
]
  .join(' ')
  .split(' ');
const BY_LETTERS = new Map(KINDS.map((kind) => [kind.toLowerCase(), kind]));

/** The kind as Kubernetes spells it, for senders that write `daemon set` or `pod`; any other word stays as it is. */
export function kubernetesKind(said: string): string {
  return BY_LETTERS.get(said.toLowerCase().replaceAll(/[ _-]/g, '')) ?? said;
}

import type { EventObject } from './cluster-event.js';
import type { FieldReader } from './field-reader.js';
import type { JsonObject } from './wire-format.js';

/** Workloads, whose labels also tell the owner of a Pod. */
const WORKLOADS = [
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
  ['job_name', 'Job'],
  ['exported_job', 'Job'],
  ['cronjob', 'CronJob'],
  ['replicaset', 'ReplicaSet'],
] as const;

/** Labels that name the very object that an alert is about, the most particular first. */
const OBJECTS = [
  ...WORKLOADS,
  ['horizontalpodautoscaler', 'HorizontalPodAutoscaler'],
  ['hpa', 'HorizontalPodAutoscaler'],
  ['poddisruptionbudget', 'PodDisruptionBudget'],
  ['persistentvolumeclaim', 'PersistentVolumeClaim'],
  ['persistentvolume', 'PersistentVolume'],
  ['resourcequota', 'ResourceQuota'],
  ['ingress', 'Ingress'],
  ['node', 'Node'],
] as const;

/** Kinds without a namespace: a namespace label beside them is that of the exporter. */
const OF_THE_CLUSTER = new Set(['Node', 'PersistentVolume']);

/** Exporters tell of other objects than themselves. */
const EXPORTER = /kube-state-metrics|node-exporter|cadvisor|blackbox/;
const NODE_EXPORTER = /node-?exporter|windows-?exporter/;

/**
 * Finds the object that an alert is about in its labels, as kube-prometheus and the kubernetes-mixin set them. Prometheus
 * adds the labels of the scraped exporter (`pod`, `container`, `service`, `namespace`, `job`, `instance`) wherever
 * the metric has none of that name, so that a Deployment's alert often carries the Pod of kube-state-metrics. An alert
 * that names no object is about the component that its `job` watches, else a namespace, else nothing but itself.
 */
export function readAlertObject(labels: JsonObject, alert: string, fields: FieldReader): EventObject {
  // What the metric said is called exported_ where the exporter's own label took its name.
  const own = (name: string): string => fields.word(labels[`exported_${name}`], `exported_${name}`, 'labels');
  const label = (name: string): string => own(name) || fields.word(labels[name], name, 'labels');
  const job = fields.word(labels.job, 'job', 'labels');
  const pod = label('pod');
  const namespace = label('namespace');
  const scraped = own('pod') === '' && isOf(pod, job, fields.word(labels.service, 'service', 'labels'));

  if (pod !== '' && !scraped) return podOf(label, job);
  for (const [name, kind] of OBJECTS) {
    const value = name.startsWith('exported_') ? fields.word(labels[name], name, 'labels') : label(name);
    if (value !== '') return objectOf(kind, OF_THE_CLUSTER.has(kind) ? '' : namespace, value);
  }
  if (NODE_EXPORTER.test(job)) {
    const node = label('nodename') || label('kubernetes_node') || hostOf(fields.word(labels.instance, 'instance', 'labels'));
    if (node !== '') return objectOf('Node', '', node);
  }
  if (pod !== '') return podOf(label, job);
  const service = label('service');
  if (service !== '' && !EXPORTER.test(service)) return objectOf('Service', namespace, service);
  if (job !== '' && !EXPORTER.test(job)) return objectOf('Component', '', job);
  if (namespace !== '') return objectOf('Namespace', '', namespace);
  return objectOf('Alert', '', alert);
}

/** Whether a Pod is the scraped one, by the names that its scrape job and Service share with it. */
function isOf(pod: string, job: string, service: string): boolean {
  return (
    (job !== '' && EXPORTER.test(job) && EXPORTER.test(pod)) || (service !== '' && EXPORTER.test(service) && pod.startsWith(`${service}-`))
  );
}

function podOf(label: (name: string) => string, job: string): EventObject {
  const object = objectOf('Pod', label('namespace'), label('pod'));
  object.uid = label('uid');
  const container = label('container');
  // A metric about a whole Pod gets the container of the exporter that told it.
  const ofExporter = EXPORTER.test(job) && /kube-state-metrics|kube-rbac-proxy/.test(container) && !EXPORTER.test(object.name);
  if (!ofExporter) object.container = container;
  const owner = WORKLOADS.find(([name]) => name !== 'exported_job' && label(name) !== '');
  if (owner) object.owner = { kind: owner[1], name: label(owner[0]) };
  return object;
}

function objectOf(kind: string, namespace: string, name: string): EventObject {
  return { kind, namespace, name, uid: '', container: '' };
}

/** The host of `10.0.0.7:9100`, `[fd00::7]:9100` or a bare name. */
function hostOf(instance: string): string {
  return instance.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

import type { ClusterEvent, EventObject } from '../events/cluster-event.js';
import { keyOf, objectKey } from './object-key.js';

/** The object that an incident is about: the workload of a Pod that belongs to one, else the object itself. */
export interface Subject {
  /** Identity inside the cluster; two spellings of one workload share it. */
  key: string;
  kind: string;
  namespace: string;
  name: string;
  /** How well it is known: 0 the object itself, 1 read off a generated name, 2 from ownerReferences. More wins. */
  rank: number;
}

// Kubernetes generates names from these 27 characters (apimachinery util/rand); a pod-template-hash is a number put
// through the same table, so that only ten of them can occur in it.
const SUFFIX = /^(.+)-([bcdfghjklmnpqrstvwxz2456789]{5})$/;
const TEMPLATE_HASH = /^(.+)-([bcdf456789]{6,10})$/;
// A CronJob names its Jobs by the scheduled time: minutes since the epoch, formerly seconds.
const SCHEDULED = /^(.+)-(\d{8}|\d{10})$/;

/** Finds the subject of an event's object. The same object always gives the same key unless ownership becomes known. */
export function subjectOf(event: ClusterEvent): Subject {
  const object = event.object;
  const workload = object.name === '' ? undefined : workloadOf(object);
  if (workload) {
    return { ...workload, namespace: object.namespace, key: keyOf('workload', object.namespace, workload.name) };
  }
  const { kind, namespace, name } = object;
  if (kind === '' && name === '') {
    return { key: objectKey(event), kind: '', namespace, name: event.host || event.reporter, rank: 0 };
  }
  return { key: objectKey(event), kind, namespace, name, rank: 0 };
}

/** Whether the name of an object tells of no workload: until its owner is known, it is an incident's subject by itself. */
export function standsAlone({ kind, name }: Pick<EventObject, 'kind' | 'name'>): boolean {
  return name === '' || !workloadOf({ kind, name });
}

type Workload = Pick<Subject, 'kind' | 'name' | 'rank'>;

function workloadOf(object: Pick<EventObject, 'kind' | 'name' | 'owner'>): Workload | undefined {
  if (object.kind === 'ReplicaSet' || object.kind === 'Job') {
    const parent = object.owner ? { ...object.owner, rank: 2 } : parentOf(object.kind, object.name);
    return parent ?? { kind: object.kind, name: object.name, rank: 1 };
  }
  if (WORKLOADS.has(object.kind)) return { kind: object.kind, name: object.name, rank: 2 };
  if (object.kind !== 'Pod') return undefined;
  if (object.owner && object.owner.kind !== 'Node') {
    return { ...(parentOf(object.owner.kind, object.owner.name) ?? object.owner), rank: 2 };
  }
  return byGeneratedName(object.name);
}

// Events of the workload itself and of its Pods meet in one incident.
const WORKLOADS = new Set(['Deployment', 'DaemonSet', 'StatefulSet', 'CronJob', 'ReplicationController']);

function parentOf(kind: string, name: string): Workload | undefined {
  if (kind === 'ReplicaSet') {
    const hash = TEMPLATE_HASH.exec(name);
    if (hash) return { kind: 'Deployment', name: hash[1]!, rank: 1 };
  }
  if (kind === 'Job') {
    const scheduled = SCHEDULED.exec(name);
    if (scheduled) return { kind: 'CronJob', name: scheduled[1]!, rank: 1 };
  }
  return undefined;
}

function byGeneratedName(pod: string): Workload | undefined {
  const owner = SUFFIX.exec(pod)?.[1];
  if (!owner) return undefined;
  // A name alone does not tell a DaemonSet's Pod from a Job's, so that kind stays open.
  return parentOf('ReplicaSet', owner) ?? parentOf('Job', owner) ?? { kind: 'Workload', name: owner, rank: 1 };
}

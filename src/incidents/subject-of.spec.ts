import { describe, expect, it } from 'vitest';
import type { ClusterEvent, EventObject } from '../events/cluster-event.js';
import { subjectOf } from './subject-of.js';

function eventOf(object: Partial<EventObject>, rest: Partial<ClusterEvent> = {}): ClusterEvent {
  return {
    uid: 'u',
    reason: 'BackOff',
    message: '',
    type: 'Warning',
    reporter: 'kubelet',
    host: 'node-1',
    object: { kind: 'Pod', namespace: 'shop', name: 'web', uid: '', container: '', ...object },
    count: 1,
    firstAt: 0,
    lastAt: 0,
    timed: true,
    ...rest,
  };
}

const spelled = (object: Partial<EventObject>): string => {
  const { kind, namespace, name, rank } = subjectOf(eventOf(object));
  return `${kind}/${namespace}/${name} ${rank}`;
};

describe('subjectOf', () => {
  it.each([
    ['web-6f9c7d8b5-x2x9z', 'Deployment/shop/web 1'],
    ['eks-sample-linux-deployment-65b7669776-m6qxz', 'Deployment/shop/eks-sample-linux-deployment 1'],
    ['kube-proxy-x2x9z', 'Workload/shop/kube-proxy 1'],
    ['backup-27849120-x7k2p', 'CronJob/shop/backup 1'],
  ])('reads the workload off the generated name %s', (name, expected) => {
    expect(spelled({ name })).toBe(expected);
  });

  it.each(['redis', 'db-0', 'nginx-proxy', 'app-v2', 'test-12345', 'worker-abcde', 'web-6f9c7d8b5-x2x9'])(
    'leaves the Pod %s as it is: its name was not generated',
    (name) => {
      expect(spelled({ name })).toBe(`Pod/shop/${name} 0`);
    },
  );

  it.each([
    [{ kind: 'ReplicaSet', name: 'web-6f9c7d8b5' }, 'Deployment/shop/web 2'],
    [{ kind: 'ReplicaSet', name: 'web-canary' }, 'ReplicaSet/shop/web-canary 2'],
    [{ kind: 'StatefulSet', name: 'db' }, 'StatefulSet/shop/db 2'],
    [{ kind: 'Job', name: 'backup-27849120' }, 'CronJob/shop/backup 2'],
    [{ kind: 'Job', name: 'migrate' }, 'Job/shop/migrate 2'],
  ])('believes ownerReferences before the name: %o', (owner, expected) => {
    expect(spelled({ name: 'web-6f9c7d8b5-x2x9z', owner })).toBe(expected);
  });

  it('takes a static Pod, which a Node owns, for itself', () => {
    expect(spelled({ name: 'etcd-master-1', owner: { kind: 'Node', name: 'master-1' } })).toBe('Pod/shop/etcd-master-1 0');
  });

  it('files events of a workload and of its Pods under the same key', () => {
    const keys = [
      { kind: 'Deployment', name: 'web' },
      { kind: 'ReplicaSet', name: 'web-6f9c7d8b5' },
      { kind: 'Pod', name: 'web-6f9c7d8b5-x2x9z' },
      { kind: 'Pod', name: 'anything', owner: { kind: 'Deployment', name: 'web' } },
    ].map((object) => subjectOf(eventOf(object)).key);
    expect(new Set(keys).size).toBe(1);
  });

  it('keeps other objects as they are, Nodes without a namespace', () => {
    expect(spelled({ kind: 'Service', name: 'web-6f9c7d8b5-x2x9z' })).toBe('Service/shop/web-6f9c7d8b5-x2x9z 0');
    expect(spelled({ kind: 'Node', namespace: '', name: 'node-1' })).toBe('Node//node-1 0');
  });

  it('keeps objects that are not named apart by their kind', () => {
    const kinds = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Job', 'Pod', 'Ingress'];
    const subjects = kinds.map((kind) => subjectOf(eventOf({ kind, namespace: '', name: '' })));
    expect(subjects.map(({ kind }) => kind)).toEqual(kinds);
    expect(new Set(subjects.map(({ key }) => key)).size).toBe(kinds.length);
  });

  it('names a log line by its host, else by its component', () => {
    const line = { kind: '', namespace: '', name: '' };
    expect(subjectOf(eventOf(line)).name).toBe('node-1');
    expect(subjectOf(eventOf(line, { host: '' })).name).toBe('kubelet');
  });
});

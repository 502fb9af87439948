import { describe, expect, it } from 'vitest';
import { FieldReader } from './field-reader.js';
import { readAlertObject } from './read-alert-object.js';

function objectOf(labels: Record<string, unknown>): string {
  const { kind, namespace, name, container, owner } = readAlertObject(labels, 'SomeAlert', new FieldReader(0));
  return `${kind} ${namespace}/${name}${container && ` [${container}]`}${owner ? ` of ${owner.kind} ${owner.name}` : ''}`;
}

/** What Prometheus adds for the scraped exporter where its labels are not dropped, as by the Helm chart. */
const exporter = {
  job: 'kube-state-metrics',
  service: 'prometheus-kube-state-metrics',
  pod: 'prometheus-kube-state-metrics-7c9f8d6b5-x2x9z',
  container: 'kube-state-metrics',
  endpoint: 'http',
  instance: '10.244.1.7:8080',
  namespace: 'monitoring',
};
const nodeExporter = {
  job: 'node-exporter',
  pod: 'node-exporter-x2x9z',
  container: 'node-exporter',
  namespace: 'monitoring',
  service: 'node-exporter',
};

describe('readAlertObject', () => {
  it.each([
    [{ namespace: 'shop', pod: 'web-0', container: 'app', job: 'kube-state-metrics' }, 'Pod shop/web-0 [app]'],
    [{ ...exporter, namespace: 'shop', deployment: 'web' }, 'Deployment shop/web'],
    [{ ...exporter, namespace: 'db', statefulset: 'mysql' }, 'StatefulSet db/mysql'],
    [{ ...exporter, namespace: 'kube-system', daemonset: 'agent' }, 'DaemonSet kube-system/agent'],
    [{ ...exporter, namespace: 'shop', job_name: 'report-29391840' }, 'Job shop/report-29391840'],
    [{ ...exporter, namespace: 'shop', horizontalpodautoscaler: 'web' }, 'HorizontalPodAutoscaler shop/web'],
    [{ ...exporter, namespace: 'shop', resourcequota: 'compute', resource: 'limits.cpu' }, 'ResourceQuota shop/compute'],
    [{ ...exporter, persistentvolume: 'pvc-1' }, 'PersistentVolume /pvc-1'],
    [{ ...exporter, node: 'node-7', condition: 'Ready' }, 'Node /node-7'],
    [{ ...exporter, namespace: 'shop' }, 'Pod shop/prometheus-kube-state-metrics-7c9f8d6b5-x2x9z [kube-state-metrics]'],
    [{ job: 'kubelet', namespace: 'db', node: 'node-7', persistentvolumeclaim: 'data-mysql-0' }, 'PersistentVolumeClaim db/data-mysql-0'],
    [{ node: 'node-7' }, 'Node /node-7'],
    [{ namespace: 'shop', pod: 'web-0', node: 'node-7', job: 'kubelet' }, 'Pod shop/web-0'],
    [{ namespace: 'shop', pod: 'web-6d4cf56db6-x2x5p', deployment: 'web', job: 'web' }, 'Pod shop/web-6d4cf56db6-x2x5p of Deployment web'],
    [{ ...nodeExporter, instance: 'node-7', mountpoint: '/' }, 'Node /node-7'],
    [{ ...nodeExporter, instance: '10.0.0.7:9100' }, 'Node /10.0.0.7'],
    [{ ...nodeExporter, instance: '[fd00::7]:9100', nodename: 'node-7' }, 'Node /node-7'],
    [{ ...nodeExporter, instance: '[fd00::7]:9100' }, 'Node /fd00::7'],
    [
      { job: 'kube-state-metrics', namespace: 'monitoring', pod: 'node-exporter-x2x9z', container: 'node-exporter' },
      'Pod monitoring/node-exporter-x2x9z [node-exporter]',
    ],
    [{ job: 'kube-etcd', namespace: 'kube-system', pod: 'etcd-master-0', instance: '10.0.0.1:2381' }, 'Pod kube-system/etcd-master-0'],
    [{ job: 'shop/web', namespace: 'shop', service: 'web' }, 'Service shop/web'],
    [{ namespace: 'monitoring', pod: 'ingress-x', exported_namespace: 'shop', exported_pod: 'web-0', job: 'ingress' }, 'Pod shop/web-0'],
    [{ exported_namespace: 'shop', ingress: 'web', namespace: 'ingress-nginx', job: 'ingress-nginx' }, 'Ingress shop/web'],
    [{ job: 'apiserver', severity: 'critical' }, 'Component /apiserver'],
    [{ namespace: 'shop', severity: 'warning' }, 'Namespace /shop'],
    [{ long: '1h', short: '5m', severity: 'critical' }, 'Alert /SomeAlert'],
  ])('finds in %j the %s', (labels, object) => {
    expect(objectOf(labels)).toBe(object);
  });

  it('leaves the container of kube-state-metrics out where the alert is about another Pod as a whole', () => {
    expect(objectOf({ job: 'kube-state-metrics', namespace: 'shop', pod: 'web-0', container: 'kube-rbac-proxy-main' })).toBe(
      'Pod shop/web-0',
    );
  });

  it('notes a label that is no text', () => {
    const fields = new FieldReader(0);
    readAlertObject({ pod: 7 }, 'SomeAlert', fields);
    expect(fields.fault).toBe('labels.pod: 7 is not a text');
  });
});

import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/config/config.js';
import { OBJECT_KINDS, objectPaths } from '../../src/ingest/watch/object-paths.js';

/* oxlint-disable typescript/no-explicit-any -- manifests have whatever shape their kind has */
interface Manifest {
  file: string;
  kind: string;
  body: any;
}

const files = (await readdir('deploy', { recursive: true })).filter((file) => /[.]ya?ml$/.test(file)).map((file) => join('deploy', file));
const manifests: Manifest[] = (
  await Promise.all(
    files.map(async (file) =>
      parseAllDocuments(await readFile(file, 'utf8'), { strict: true, uniqueKeys: true }).map((document) => {
        if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]!.message}`);
        const body = document.toJS();
        return { file, kind: body.kind, body };
      }),
    ),
  )
).flat();
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const named = (file: string, kind: string): any =>
  manifests.find((manifest) => manifest.file === join('deploy/kustomize', file) && manifest.kind === kind)!.body;

/** Every right of a role as `verb resource.group`. */
function rightsOf(rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[]): string[] {
  return rules
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`))),
    )
    .toSorted();
}

/** What the code asks of an API server. */
function rightsOfCode(): string[] {
  const gets = OBJECT_KINDS.flatMap((kind) => objectPaths({ kind, namespace: 'n', name: 'x' })).map((path) => {
    const [, group = '', plural] = /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/n)?\/([a-z]+)\/x$/.exec(path)!;
    return `get ${plural}.${group}`;
  });
  const events = ['', 'events.k8s.io'].flatMap((group) => [`list events.${group}`, `watch events.${group}`]);
  return [...new Set([...gets, ...events])].toSorted();
}

describe('the manifests in deploy/', () => {
  it('are all read, and every file that a kustomization names is there', async () => {
    expect(manifests.length).toBeGreaterThan(12);
    const kustomizations = [...ofKind('Kustomization'), ...ofKind('Component')];
    expect(kustomizations).toHaveLength(6);
    for (const { file, body } of kustomizations) {
      const wanted: string[] = [...(body.resources ?? []), ...(body.patches ?? []).flatMap((patch: { path?: string }) => patch.path ?? [])];
      for (const path of wanted) await expect(access(join(dirname(file), path)), `${file}: ${path}`).resolves.toBeUndefined();
    }
  });

  it('give a watch the rights that it asks for, and no other', () => {
    const roles = [...ofKind('ClusterRole'), ...ofKind('Role')];
    expect(roles.map(({ file }) => file)).toEqual(['deploy/kustomize/watch-role/cluster-role.yaml']);
    const rights = rightsOf(roles[0]!.body.rules);
    expect(rights).toEqual(rightsOfCode());
    expect(rights.some((right) => /secrets|configmaps|[*]|create|update|patch|delete /.test(right))).toBe(false);
    expect(new Set(rights).size).toBe(rights.length);
  });

  it('bind the role to the accounts that exist, and to nobody else', () => {
    const accounts = ofKind('ServiceAccount').map(({ body }) => body.metadata.name);
    for (const { body } of ofKind('ClusterRoleBinding')) {
      expect(body.roleRef.name).toBe('casebook-watch');
      expect(body.subjects.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual([
        `ServiceAccount ${accounts.find((name) => name === body.subjects[0].name)}`,
      ]);
    }
    // Both may be in one cluster.
    expect(new Set(ofKind('ClusterRoleBinding').map(({ body }) => body.metadata.name)).size).toBe(2);
    expect(named('remote-cluster/service-account.yaml', 'Secret')).toMatchObject({
      type: 'kubernetes.io/service-account-token',
      metadata: { annotations: { 'kubernetes.io/service-account.name': 'casebook-watch' } },
    });
  });

  /** What the Secret holds in these tests. */
  const secrets: Record<string, string> = {
    'database-url': 'postgresql://casebook:secret@postgres:5432/casebook',
    'admin-token': 'a-token-of-enough-letters',
    'secret-key': Buffer.alloc(32, 1).toString('base64'),
  };
  type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } }; $patch?: string };
  const valueOf = ({ value, valueFrom }: Variable): string => value ?? secrets[valueFrom!.secretKeyRef.key] ?? '';
  const envOf = (deployment: any): Variable[] => deployment.spec.template.spec.containers[0].env;

  it.each(['base', 'agentless', 'kubeconfig'])('start the service: its environment is one that it takes (%s)', (which) => {
    const env = new Map(envOf(named('base/deployment.yaml', 'Deployment')).map((variable) => [variable.name, valueOf(variable)]));
    const patch = { agentless: 'overlays/agentless/without-own-cluster.yaml', kubeconfig: 'overlays/kubeconfig/with-kubeconfig.yaml' }[
      which
    ];
    for (const variable of patch === undefined ? [] : envOf(named(patch, 'Deployment'))) {
      if (variable.$patch === 'delete') expect(env.delete(variable.name)).toBe(true);
      else env.set(variable.name, valueOf(variable));
    }
    const config = parseConfig({ ...Object.fromEntries(env), KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' });
    expect(config).toMatchObject({
      host: '0.0.0.0',
      auth: 'required',
      databaseUrl: secrets['database-url'],
      secretKey: secrets['secret-key'],
    });
    expect(config.watch).toMatchObject(
      {
        base: { inCluster: 'home', register: 'kubernetes', contexts: [] },
        agentless: { kubeconfigs: [], contexts: [] },
        kubeconfig: {
          inCluster: 'home',
          kubeconfigs: ['/etc/casebook/kubeconfig/config'],
          contexts: [{ cluster: 'prod-eu' }, { cluster: 'prod-us' }],
        },
      }[which]!,
    );
    expect('inCluster' in config.watch).toBe(which !== 'agentless');
  });

  it('run it without privileges, on ports and probes that fit', () => {
    const pod = named('base/deployment.yaml', 'Deployment').spec.template.spec;
    const [container] = pod.containers;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) });
    expect(container.resources.limits.memory).toBeDefined();
    const port = container.ports[0].name;
    expect([container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port },
      { path: '/healthz', port },
      { path: '/readyz', port },
    ]);
    expect(named('base/service.yaml', 'Service').spec.ports[0].targetPort).toBe(port);
    expect(String(container.ports[0].containerPort)).toBe(
      envOf(named('base/deployment.yaml', 'Deployment')).find(({ name }) => name === 'PORT')!.value,
    );
  });

  it('have the Prometheus operator scrape the port that is served, and let Prometheus in there', () => {
    const { spec } = named('monitoring/pod-monitor.yaml', 'PodMonitor');
    const [endpoint] = spec.podMetricsEndpoints;
    const [container] = named('base/deployment.yaml', 'Deployment').spec.template.spec.containers;
    expect(endpoint).toMatchObject({ port: container.ports[0].name, path: '/metrics', honorLabels: true });
    // The rules and the dashboard ask for the job `casebook`, which is the value of this label of the Pods.
    expect(named('base/deployment.yaml', 'Deployment').spec.template.metadata.labels[spec.jobLabel]).toBe('casebook');
    expect(named('monitoring/network-policy.yaml', 'NetworkPolicy').spec.ingress[0].ports).toEqual([
      { port: container.ports[0].name, protocol: 'TCP' },
    ]);
    const { namespace } = named('base/kustomization.yaml', 'Kustomization');
    for (const { body } of manifests.filter(({ file, kind }) => file.includes('/monitoring/') && kind !== 'Component')) {
      expect([body.kind, body.metadata.namespace]).toEqual([body.kind, namespace]);
    }
  });

  it('give a replica that stops the time that it takes', () => {
    const pod = named('base/deployment.yaml', 'Deployment').spec.template.spec;
    const env: [string, string][] = envOf(named('base/deployment.yaml', 'Deployment')).map((variable) => [
      variable.name,
      valueOf(variable),
    ]);
    const { stop } = parseConfig({ ...Object.fromEntries(env), KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' });
    const { periodSeconds } = pod.containers[0].readinessProbe;
    // Somebody has to ask at least once meanwhile; what is left after the requests is bounded in src/main.ts.
    expect(stop.delay).toBeGreaterThanOrEqual(periodSeconds * 1000);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(stop.delay + stop.timeout + 12_000);
  });

  it('keep one replica while a node is drained or a version replaced, and spread them', () => {
    const { replicas, strategy, template } = named('base/deployment.yaml', 'Deployment').spec;
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(replicas - named('base/pod-disruption-budget.yaml', 'PodDisruptionBudget').spec.maxUnavailable).toBeGreaterThanOrEqual(1);
    expect(template.spec.topologySpreadConstraints.map(({ topologyKey }: any) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
  });

  it('let in only who was named, at one port, and out only to where the service speaks', () => {
    const { spec } = named('base/network-policy.yaml', 'NetworkPolicy');
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(spec.ingress.map(({ ports }: any) => ports)).toEqual([[{ port: 'http', protocol: 'TCP' }]]);
    expect(spec.ingress.every(({ from }: any) => from.length > 0)).toBe(true);
    const out = spec.egress.flatMap(({ ports }: any) => ports.map(({ port, protocol }: any) => `${protocol} ${port}`));
    const { port } = new URL(secrets['database-url']!);
    expect(out.toSorted()).toEqual(['TCP 443', 'TCP 53', `TCP ${port}`, 'TCP 6443', 'UDP 53']);
  });

  it('hold no secret themselves', () => {
    for (const { file, body } of manifests) {
      expect(body.stringData ?? body.data, file).toBeUndefined();
      for (const variable of body.kind === 'Deployment' ? envOf(body) : []) {
        if (/TOKEN|KEY|URL|PASSWORD/.test(variable.name) && variable.$patch === undefined)
          expect(variable.valueFrom?.secretKeyRef, variable.name).toBeDefined();
      }
    }
    expect(named('base/namespace.yaml', 'Namespace').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');
  });

  it('select the same Pods everywhere', () => {
    const labels = named('base/deployment.yaml', 'Deployment').spec.template.metadata.labels;
    const selectors = [
      named('base/deployment.yaml', 'Deployment').spec.selector.matchLabels,
      named('base/service.yaml', 'Service').spec.selector,
      named('base/network-policy.yaml', 'NetworkPolicy').spec.podSelector.matchLabels,
      named('base/pod-disruption-budget.yaml', 'PodDisruptionBudget').spec.selector.matchLabels,
      named('monitoring/pod-monitor.yaml', 'PodMonitor').spec.selector.matchLabels,
      named('monitoring/network-policy.yaml', 'NetworkPolicy').spec.podSelector.matchLabels,
    ];
    expect(selectors).toEqual(selectors.map(() => labels));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent, crash, e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

describe('incidents', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook();
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());

  it('shows what was posted, with its diagnosis filled in', async () => {
    const posted = await casebook.post('prod', [
      e4011({ uid: 'e1', count: 3 }),
      e4011({ uid: 'e1', count: 3 }),
      coreEvent({ uid: 'p1', reason: 'Pulled', message: 'ok', type: 'Normal' }),
    ]);
    expect(posted).toMatchObject({ status: 200, body: { accepted: 2, merged: 1, rejected: [] } });
    const { data, errors } = await casebook.graphql(`{ incidents { totalCount nodes {
      id status severity occurrences affectedCount firstSeenAt lastSeenAt resolvedAt resolvedBy
      cluster { name provider openIncidents } subject { kind namespace name }
      problem { id title zh: title(locale: ZH) clears related { id } causes { text checks { run } } }
      affected { kind name container } episodes { startedAt endedAt resolution seconds }
      diagnosis { problemId problem { id } confidence matchedOn captured causes { text } checks { run look } remedies { text } }
      events { totalCount nodes { id message count reporter host object { name } } }
    } } }`);
    expect(errors).toBeUndefined();
    expect(data.incidents).toMatchObject({
      totalCount: 1,
      nodes: [
        {
          status: 'OPEN',
          severity: 'ERROR',
          occurrences: 3,
          affectedCount: 1,
          resolvedAt: null,
          cluster: { name: 'prod', provider: 'TKE', openIncidents: 1 },
          subject: { kind: 'Ingress', namespace: 'shop', name: 'web' },
          problem: { id: 'tke/ingress/E4011', zh: 'TLS 引用的 Secret 中没有证书 ID', related: [{ id: 'tke/ingress/E4010' }] },
          affected: [{ kind: 'Ingress', name: 'web', container: null }],
          episodes: [{ endedAt: null, resolution: null, seconds: null }],
          diagnosis: {
            problemId: 'tke/ingress/E4011',
            matchedOn: expect.stringContaining('code E4011 on Ingress'),
            captured: { secret: 'web-tls' },
            checks: [{ run: 'kubectl get secret web-tls -n shop -o yaml', look: 'No qcloud_cert_id in web-tls confirms it.' }],
            remedies: [{ text: 'Put the certificate id into Secret web-tls.' }],
          },
          events: { totalCount: 1, nodes: [{ id: 'e1', count: 3, host: 'node-1', object: { name: 'web' } }] },
        },
      ],
    });
    expect(data.incidents.nodes[0].problem.causes[0].checks[0].run).toBe('kubectl get secret {secret} -n {namespace} -o yaml');
  });

  it('gathers the Pods of one workload in one incident', async () => {
    const pods = ['x2x5p', 'b7k9q', 'zz4vw'].map((suffix) => crash({ name: `api-6d4cf56db6-${suffix}`, namespace: 'crash' }));
    await casebook.post('prod', pods);
    const { data } = await casebook.graphql(`{ incidents(filter: { namespaces: ["crash"] }) { nodes {
      subject { kind name } affectedCount affected(first: 2) { name container } diagnosis { checks { run } } } } }`);
    expect(data.incidents.nodes).toEqual([
      {
        subject: { kind: 'Deployment', name: 'api' },
        affectedCount: 3,
        affected: [
          { name: expect.stringMatching(/^api-/), container: 'app' },
          { name: expect.stringMatching(/^api-/), container: 'app' },
        ],
        diagnosis: { checks: [{ run: expect.stringMatching(/^kubectl logs api-6d4cf56db6-\w{5} -n crash -c app --previous$/) }] },
      },
    ]);
  });
});

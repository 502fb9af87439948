import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent, crash, e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

describe('GraphQL', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook();
  });
  afterAll(() => casebook?.stop());

  it('shows a problem in both languages, by default in that of the caller', async () => {
    const query =
      '{ problem(id: "tke/ingress/E4011") { id provider area code objectKinds title en: title(locale: EN) summary consequence severity risk clears transient escalateTo references { title url } related { id } causes(locale: ZH) { text checks { run look } remedies { text } } } }';
    const { data } = await casebook.graphql(query, {}, { 'accept-language': 'zh-CN' });
    expect(data).toEqual({
      problem: {
        id: 'tke/ingress/E4011',
        provider: 'TKE',
        area: 'ingress',
        code: 'E4011',
        objectKinds: ['Ingress'],
        title: 'TLS 引用的 Secret 中没有证书 ID',
        en: 'TLS Secret holds no certificate ID',
        summary: 'Secret 中没有 qcloud_cert_id 字段。',
        consequence: 'Ingress 的更新不会生效。',
        severity: 'ERROR',
        risk: 'SYNC_BLOCKED',
        clears: 'event EnsureServiceSuccess of the same object',
        transient: false,
        escalateTo: null,
        references: [{ title: 'Ingress errors', url: 'https://example.com/ingress' }],
        related: [{ id: 'tke/ingress/E4010' }],
        causes: [
          {
            text: 'Secret 是手工创建的。',
            checks: [{ run: 'kubectl get secret {secret} -n {namespace} -o yaml', look: '{secret} 中没有 qcloud_cert_id 即可确认。' }],
            remedies: [{ text: '在 Secret {secret} 中填写证书 ID。' }],
          },
        ],
      },
    });
    expect((await casebook.graphql('{ problem(id: "tke/ingress/E9999") { id } }')).data).toEqual({ problem: null });
  });

  it('pages and searches problems', async () => {
    const query =
      'query ($after: String) { problems(first: 3, after: $after) { totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }';
    const first = (await casebook.graphql(query)).data['problems'];
    const second = (await casebook.graphql(query, { after: first.pageInfo.endCursor })).data['problems'];
    expect([first.totalCount, first.nodes.length, first.pageInfo.hasNextPage, second.nodes.length, second.pageInfo.hasNextPage]).toEqual([
      5,
      3,
      true,
      2,
      false,
    ]);
    const { data } = await casebook.graphql(
      '{ a: problems(search: "监听器") { nodes { id } } b: problems(provider: KUBERNETES, area: "image") { nodes { id } } c: problems(first: null, search: null) { totalCount } }',
    );
    expect(data).toEqual({
      a: { nodes: [{ id: 'tke/service/E4011' }] },
      b: { nodes: [{ id: 'kubernetes/image/not-found' }] },
      c: { totalCount: 5 },
    });
  });

  it('tells what a code means', async () => {
    const { data } = await casebook.graphql(
      '{ both: errorCode(code: "E4011") { id } one: errorCode(code: "e4011", kind: "Service", provider: TKE) { id } none: errorCode(code: "E4011", provider: ACK) { id } }',
    );
    expect(data).toEqual({
      both: [{ id: 'tke/ingress/E4011' }, { id: 'tke/service/E4011' }],
      one: [{ id: 'tke/service/E4011' }],
      none: [],
    });
  });

  it('diagnoses events in place', async () => {
    const query =
      'query ($events: [JSON!]!) { diagnose(events: $events, provider: TKE) { index rejected diagnoses { problemId problem { code } confidence matchedOn captured checks { run } remedies { text } } } }';
    const list = { kind: 'List', apiVersion: 'v1', items: [coreEvent({ message: 'fine' }), crash({ name: 'api-0' })] };
    const { data, errors } = await casebook.graphql(query, { events: [e4011(), 42, list] });
    expect(errors).toBeUndefined();
    expect(data['diagnose']).toEqual([
      {
        index: 0,
        rejected: null,
        diagnoses: [
          {
            problemId: 'tke/ingress/E4011',
            problem: { code: 'E4011' },
            confidence: expect.any(Number),
            matchedOn: expect.any(String),
            captured: { secret: 'web-tls' },
            checks: [{ run: 'kubectl get secret web-tls -n shop -o yaml' }],
            remedies: [{ text: 'Put the certificate id into Secret web-tls.' }],
          },
        ],
      },
      { index: 1, rejected: expect.stringContaining('42'), diagnoses: [] },
      { index: 2, rejected: null, diagnoses: [] },
      {
        index: 3,
        rejected: null,
        diagnoses: [
          expect.objectContaining({
            problemId: 'kubernetes/container/crash-loop',
            checks: [{ run: 'kubectl logs api-0 -n shop -c app --previous' }],
          }),
        ],
      },
    ]);
  });

  it('takes an event that is written into the query itself', async () => {
    const { data } = await casebook.graphql(
      '{ diagnose(events: [{ involvedObject: { kind: "Ingress", name: "web" }, count: 2, message: "ErrorCode: E4010" }]) { diagnoses { problemId } } }',
    );
    expect(data).toEqual({ diagnose: [{ diagnoses: [{ problemId: 'tke/ingress/E4010' }] }] });
  });

  it('registers a cluster whose token works', async () => {
    const mutation =
      'mutation ($input: RegisterClusterInput!) { registerCluster(input: $input) { token cluster { name provider region labels lastHeardAt openIncidents } } }';
    const { data } = await casebook.graphql(mutation, {
      input: { name: 'prod', provider: 'TKE_SERVERLESS', region: 'ap-guangzhou', labels: { team: 'shop' } },
    });
    const { token, cluster } = data['registerCluster'];
    expect(cluster).toEqual({
      name: 'prod',
      provider: 'TKE_SERVERLESS',
      region: 'ap-guangzhou',
      labels: { team: 'shop' },
      lastHeardAt: null,
      openIncidents: 0,
    });
    expect((await casebook.post('prod', crash(), token)).status).toBe(200);
    const seen = await casebook.graphql(
      '{ cluster(name: "prod") { lastHeardAt openIncidents } clusters { name } none: cluster(name: "none") { name } }',
    );
    expect(seen.data).toEqual({
      cluster: { lastHeardAt: expect.stringMatching(/^\d{4}-.*Z$/), openIncidents: 1 },
      clusters: [{ name: 'prod' }],
      none: null,
    });
  });

  it('answers GET for programs that ask as such', async () => {
    const answer = await casebook.send('GET', '/graphql?query={clusters{name}}', { headers: { 'apollo-require-preflight': '1' } });
    expect(answer).toMatchObject({ status: 200, body: { data: { clusters: [{ name: 'prod' }] } } });
  });

  it('shows browsers a page that asks no other host', async () => {
    const { status, body } = await casebook.send('GET', '/graphql', { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect(status).toBe(200);
    expect(body).not.toMatch(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//);
  });
});

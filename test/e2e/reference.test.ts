/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the query asks for */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

/** The reference tables and guides that come with the program, as portals ask for them. */
describe('guides and reference tables', () => {
  let casebook: TestCasebook;
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const { data, errors } = await casebook.graphql(query, {}, headers);
    expect(errors).toBeUndefined();
    return data;
  };
  const get = (path: string, headers: Record<string, string> = {}) => casebook.send('GET', path, { headers });

  beforeAll(async () => {
    casebook = await startTestCasebook({}, 'knowledge');
  });
  afterAll(() => casebook?.stop());

  it('walks a guide from step to step, to a problem or to another guide', async () => {
    const { guide } =
      await ask(`{ guide(id: "guide/node-disk-full") { id title zh: title(locale: ZH) symptom problems { id } references { url }
      versions { component affected fixedIn }
      steps { id check run outcomes { when means remedy lead { __typename ... on GuideStep { id check } ... on Problem { problem: id title } ... on Guide { guide: id title } } } } } }`);
    expect(guide).toMatchObject({ id: 'guide/node-disk-full', title: 'Node disk is full', zh: '节点磁盘已满' });
    expect(guide.problems[0]).toEqual({ id: 'kubernetes/node/disk-full' });
    expect(guide.problems.map(({ id }: { id: string }) => id)).toContain('kubernetes/container/runtime-state-mismatch');
    const step = guide.steps.find(({ id }: { id: string }) => id === 'not-the-disk');
    expect(guide.steps[0].outcomes[0].lead).toMatchObject({
      __typename: 'GuideStep',
      id: 'find-large',
      check: expect.stringContaining('large directories'),
    });
    expect(step.outcomes[0].lead).toEqual({
      __typename: 'Problem',
      problem: 'kubernetes/node/inotify-exhausted',
      title: expect.any(String),
    });
    expect(JSON.stringify(guide.steps)).toContain('kubectl drain <node-name>');
  });

  it('leads from guide to guide somewhere, and knows a guide by its name alone', async () => {
    const { guides, one, none } = await ask(
      '{ guides(first: 200) { nodes { id steps { outcomes { lead { ... on Guide { id } } } } } } one: guide(id: "node-disk-full") { id } none: guide(id: "toString") { id } }',
    );
    expect(
      guides.nodes.some(({ steps }: { steps: { outcomes: { lead: { id?: string } | null }[] }[] }) =>
        steps.some(({ outcomes }) => outcomes.some(({ lead }) => lead?.id?.startsWith('guide/'))),
      ),
    ).toBe(true);
    expect([one, none]).toEqual([{ id: 'guide/node-disk-full' }, null]);
  });

  it('links problems and guides both ways, and problems with their direction', async () => {
    const { problem } = await ask(
      '{ problem(id: "kubernetes/node/disk-full") { related { id } relations { as problem { id relations { as problem { id } } } } guides { id problems { id } } } }',
    );
    expect(problem.guides[0].id).toBe('guide/node-disk-full');
    expect(problem.guides[0].problems).toContainEqual({ id: 'kubernetes/node/disk-full' });
    expect(problem.relations).toContainEqual(
      expect.objectContaining({ as: 'CAUSE', problem: expect.objectContaining({ id: 'kubernetes/node/image-gc-failed' }) }),
    );
    const effect = problem.relations.find(({ as }: { as: string }) => as === 'EFFECT');
    expect(effect.problem.relations).toContainEqual({ as: 'CAUSE', problem: { id: 'kubernetes/node/disk-full' } });
    expect(new Set(problem.relations.map((relation: { problem: { id: string } }) => relation.problem.id))).toEqual(
      new Set(problem.related.map(({ id }: { id: string }) => id)),
    );
  });

  it('pages and searches guides', async () => {
    const seen: string[] = [];
    let total = 0;
    for (let after: string | null = null; ;) {
      const { guides }: Record<string, any> = (
        await casebook.graphql(
          'query ($after: String) { guides(first: 25, after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }',
          { after },
        )
      ).data;
      seen.push(...guides.nodes.map(({ id }: { id: string }) => id));
      total = guides.totalCount;
      if (!guides.pageInfo.hasNextPage) break;
      after = guides.pageInfo.endCursor;
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toHaveLength(total);
    const { a, b } = await ask(
      '{ a: guides(search: "节点磁盘", first: 1) { nodes { id } } b: guides(search: "exit code", first: 3) { nodes { id } } }',
    );
    expect(a.nodes).toEqual([{ id: 'guide/node-disk-full' }]);
    expect(b.nodes).toContainEqual({ id: 'guide/exit-codes' });
  });

  it.each([
    [137, 137, 'SIGKILL'],
    [393, 137, 'SIGKILL'],
    [-1, 255, undefined],
    [-256, 0, undefined],
    [0, 0, undefined],
    [127, 127, undefined],
  ])('explains exit code %i as %i', async (given, code, signal) => {
    const { exitCode } = await ask(
      `{ exitCode(code: ${given}) { given code name origin title meaning folding signal { name number action meaning elsewhere { architecture number } } causes { text remedies { text } } problems { id } guides { id } } }`,
    );
    expect(exitCode).toMatchObject({
      given,
      code,
      title: expect.any(String),
      meaning: expect.any(String),
      folding: expect.stringContaining('0-255'),
    });
    expect(exitCode.signal?.name).toBe(signal);
    if (code === 137) {
      expect(exitCode).toMatchObject({ origin: 'SIGNAL', signal: { number: 9, action: 'TERM' } });
      expect(exitCode.problems).toContainEqual({ id: 'kubernetes/container/oom-killed' });
      expect(exitCode.causes.length).toBeGreaterThan(1);
    }
  });

  it('tells states of Pods, annotations, conditions, taints and rules, in the language of the caller', async () => {
    const data = await ask(
      `{ podState(name: "Init:crashloopbackoff") { name kind aliases meaning note en: meaning(locale: EN) problems { id } guides { id } } podStates { name }
        annotation(key: "'service.kubernetes.io/tke-existed-lbid': lb-1") { key on providers kinds writtenBy meaning values example problems { id } }
        nodeConditions { type status taint meaning since until problems { id } } nodeTaints { key effects setBy meaning guides { id } } none: podState(name: "Nothing") { name } }`,
      { 'accept-language': 'zh-CN' },
    );
    expect(data['podState']).toMatchObject({
      name: 'CrashLoopBackOff',
      kind: 'WAITING',
      meaning: expect.stringMatching(/\p{Script=Han}/u),
      en: expect.not.stringMatching(/\p{Script=Han}/u),
    });
    expect(data['podState'].problems[0]).toEqual({ id: 'kubernetes/container/crash-loop' });
    expect(data['podStates'].length).toBeGreaterThan(20);
    expect(data['annotation']).toMatchObject({
      key: 'service.kubernetes.io/tke-existed-lbid',
      on: 'ANNOTATION',
      providers: ['TKE', 'TKE_SERVERLESS'],
      kinds: ['Service'],
      writtenBy: 'USER',
    });
    expect(data['annotation'].problems).toContainEqual({ id: 'tke/service/E4012' });
    expect(data['nodeConditions']).toContainEqual(
      expect.objectContaining({ type: 'DiskPressure', status: 'TRUE', taint: 'node.kubernetes.io/disk-pressure' }),
    );
    expect(data['nodeTaints']).toContainEqual(expect.objectContaining({ key: 'node.kubernetes.io/not-ready', setBy: 'NODE_CONTROLLER' }));
    expect(data['none']).toBeNull();
  });

  it('restricts annotations and rules by provider and kind', async () => {
    const { all, some, rules, ack } =
      await ask(`{ all: annotations { key } some: annotations(provider: ACK, kind: "service") { key providers kinds }
      rules: loadBalancerRules(provider: TKE, kind: "Ingress") { id provider kind creates when means cluster annotations problems { id } } ack: loadBalancerRules(provider: ACK) { provider } }`);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    for (const { providers, kinds } of some)
      expect([providers, kinds]).toEqual([expect.arrayContaining(['ACK']), expect.arrayContaining(['Service'])]);
    expect(rules.length).toBeGreaterThan(0);
    for (const { provider, kind } of rules) expect([provider, kind]).toEqual(['TKE', 'Ingress']);
    for (const { provider } of ack) expect(provider).toBe('ACK');
  });

  it('serves guides and exit codes over REST', async () => {
    const page = (await get('/v1/guides?first=2&locale=zh')).body;
    expect(page).toMatchObject({
      nodes: [{ id: 'guide/ack-errors-during-update', title: expect.stringMatching(/\p{Script=Han}/u) }, {}],
      pageInfo: { hasNextPage: true },
    });
    expect((await get('/v1/guides?search=x%00')).status).toBe(400);
    const guide = (await get('/v1/guides/node-disk-full')).body;
    expect(guide).toMatchObject({
      id: 'guide/node-disk-full',
      title: 'Node disk is full',
      problems: expect.arrayContaining(['kubernetes/node/disk-full']),
    });
    expect(guide.steps[0]).toMatchObject({ id: 'which-disk', run: expect.arrayContaining(['df -h']) });
    expect(guide.steps[0].outcomes[0]).toEqual({
      when: 'The disk of the runtime is full.',
      means: expect.any(String),
      remedy: null,
      lead: { step: 'find-large' },
    });
    expect((await get('/v1/guides/nothing')).body.error.code).toBe('NOT_FOUND');
    expect((await get('/v1/exit-codes/-1')).body).toMatchObject({ given: -1, code: 255 });
    expect((await get('/v1/exit-codes/3221225786')).body).toMatchObject({ given: 3221225786, code: 58 });
    expect((await get('/v1/exit-codes/137?locale=zh')).body).toMatchObject({
      code: 137,
      origin: 'signal',
      signal: { name: 'SIGKILL', number: 9 },
      problems: expect.arrayContaining(['kubernetes/container/oom-killed']),
    });
    expect((await get('/v1/exit-codes/x')).body.error.code).toBe('BAD_INPUT');
    expect((await get('/v1/problems/kubernetes/node/disk-full')).body.guides[0]).toBe('guide/node-disk-full');
  });
});

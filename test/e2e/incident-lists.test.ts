import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent, crash, e4011 } from '../support/core-event.js';
import { statementsOf } from '../support/count-statements.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

// Recent enough that nothing ends by quiet while the test runs.
const START = Math.floor(Date.now() / 1000) * 1000 - 400_000;
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

/** A page of incidents with everything that can be asked for. */
const EVERYTHING = `query ($first: Int) { incidents(first: $first) { totalCount pageInfo { hasNextPage endCursor } edges { cursor } nodes {
  id status severity occurrences affectedCount firstSeenAt lastSeenAt resolvedAt resolvedBy
  cluster { name provider region labels lastHeardAt createdAt openIncidents }
  problem { id provider area code objectKinds title summary consequence severity risk clears transient escalateTo
    causes { text checks { run look } remedies { text } } references { title url } related { id title } }
  subject { kind namespace name } affected(first: 5) { kind namespace name container }
  episodes(first: 5) { startedAt endedAt resolution seconds }
  diagnosis { problemId confidence matchedOn captured problem { id } causes { text } checks { run look } remedies { text } }
  events(first: 5) { totalCount pageInfo { endCursor } nodes { id reason message type reporter host count firstSeenAt lastSeenAt object { kind name } } }
} } }`;

describe('lists of incidents', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook();
    await casebook.register('east');
    await casebook.register('west', 'ack');
    // 30 Ingresses in the east, of which every third has recovered; three of each share one second.
    const failing = Array.from({ length: 30 }, (_, i) =>
      e4011({ name: `web-${i}`, namespace: `team-${i % 2}`, at: at(Math.floor(i / 3)) }),
    );
    const healed = Array.from({ length: 10 }, (_, i) =>
      coreEvent({
        kind: 'Ingress',
        name: `web-${i * 3}`,
        namespace: `team-${(i * 3) % 2}`,
        reason: 'EnsureServiceSuccess',
        message: 'Service Sync Success. RetrunCode: S2000',
        type: 'Normal',
        component: 'loadbalance-controller',
        at: at(100),
      }),
    );
    await casebook.post('east', [...failing, ...healed]);
    await casebook.post(
      'west',
      Array.from({ length: 5 }, (_, i) => crash({ name: `api-6d4cf56db6-x2x5${'bcdfg'[i]}`, namespace: 'shop', at: at(200 + i) })),
    );
  });
  afterAll(() => casebook?.stop());

  async function namesOf(filter: string): Promise<string[]> {
    const { data, errors } = await casebook.graphql(
      `{ incidents(filter: { ${filter} }, first: 200) { totalCount nodes { subject { name } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data['incidents'].totalCount).toBe(data['incidents'].nodes.length);
    return data['incidents'].nodes.map(({ subject }: { subject: { name: string } }) => subject.name).sort();
  }

  it('takes as many statements for 20 rows with everything as for one', async () => {
    const { data, errors } = await casebook.graphql(EVERYTHING, { first: 20 });
    expect(errors).toBeUndefined();
    expect(data['incidents']).toMatchObject({ totalCount: 31, pageInfo: { hasNextPage: true } });
    const [many, one] = [
      await statementsOf(() => casebook.graphql(EVERYTHING, { first: 20 })),
      await statementsOf(() => casebook.graphql(EVERYTHING, { first: 1 })),
    ];
    expect(many).toHaveLength(9);
    expect(one).toHaveLength(many.length);
  });

  it('counts only when the count is asked for', async () => {
    const statements = await statementsOf(() => casebook.graphql('{ incidents { nodes { id } } }'));
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toMatch(/count\(|OFFSET/i);
  });

  it.each([
    ['LAST_SEEN_AT', 'DESC'],
    ['LAST_SEEN_AT', 'ASC'],
    ['FIRST_SEEN_AT', 'DESC'],
    ['FIRST_SEEN_AT', 'ASC'],
  ])('walks all pages by %s %s, each row once and in order, while others are added', async (field, direction) => {
    const query = `query ($after: String) { incidents(first: 7, after: $after, orderBy: { field: ${field}, direction: ${direction} }, filter: { clusters: ["east"] }) {
      edges { cursor node { id lastSeenAt firstSeenAt } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const seen: { id: string; lastSeenAt: string; firstSeenAt: string }[] = [];
    let after: string | undefined;
    for (let page = 0; page === 0 || after !== undefined; page++) {
      const { data } = await casebook.graphql(query, { after });
      const { edges, pageInfo } = data['incidents'];
      expect(pageInfo).toMatchObject({ hasPreviousPage: page > 0, startCursor: edges[0].cursor, endCursor: edges.at(-1).cursor });
      seen.push(...edges.map(({ node }: { node: (typeof seen)[number] }) => node));
      after = pageInfo.hasNextPage ? (pageInfo.endCursor as string) : undefined;
    }
    expect(seen).toHaveLength(30);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(30);
    const times = seen.map((node) => (field === 'LAST_SEEN_AT' ? node.lastSeenAt : node.firstSeenAt));
    const sorted = [...times].sort();
    expect(times).toEqual(direction === 'ASC' ? sorted : sorted.reverse());
  });

  it('pages the events of an incident', async () => {
    await casebook.post(
      'east',
      Array.from({ length: 12 }, (_, i) =>
        e4011({ uid: `paged-${i}`, name: 'paged', namespace: 'pages', at: at(300 + Math.floor(i / 4)) }),
      ),
    );
    const query =
      'query ($after: String) { incidents(filter: { namespaces: ["pages"] }) { nodes { events(first: 5, after: $after) { totalCount nodes { id lastSeenAt } pageInfo { hasNextPage endCursor } } } } }';
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page === 0 || after !== undefined; page++) {
      const { events } = (await casebook.graphql(query, { after })).data['incidents'].nodes[0];
      expect(events.totalCount).toBe(12);
      seen.push(...events.nodes.map(({ id }: { id: string }) => id));
      after = events.pageInfo.hasNextPage ? (events.pageInfo.endCursor as string) : undefined;
    }
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
    await casebook.database.pool.query(`DELETE FROM incident WHERE subject_namespace = 'pages'`);
  });

  const web = (wanted: (i: number) => boolean): string[] =>
    Array.from({ length: 30 }, (_, i) => i)
      .filter(wanted)
      .map((i) => `web-${i}`)
      .sort();

  it.each([
    ['clusters: ["east"]', web(() => true)],
    ['clusters: ["west"]', ['api']],
    ['clusters: ["east", "west", "nowhere"]', ['api', ...web(() => true)]],
    ['clusters: ["nowhere"]', []],
    ['clusters: []', ['api', ...web(() => true)]],
    ['namespaces: ["team-1"]', web((i) => i % 2 === 1)],
    ['kinds: ["Deployment"]', ['api']],
    ['kinds: ["Deployment", "Ingress"], clusters: ["west"]', ['api']],
    ['statuses: [RESOLVED]', web((i) => i % 3 === 0)],
    ['statuses: [OPEN, ACKNOWLEDGED], clusters: ["east"]', web((i) => i % 3 !== 0)],
    ['severities: [CRITICAL]', ['api']],
    ['problems: ["kubernetes/container/crash-loop"]', ['api']],
    ['codes: ["e4011"], statuses: [RESOLVED]', web((i) => i % 3 === 0)],
    ['providers: [KUBERNETES]', ['api']],
    [`seenAfter: "${at(9)}"`, ['api', ...web((i) => i >= 27)]],
    [`seenBefore: "${at(1)}"`, web((i) => i < 3)],
    [`seenAfter: "${at(2)}", seenBefore: "${at(3)}"`, web((i) => i >= 6 && i < 9)],
    ['search: "WEB-7"', ['web-7']],
    ['search: "certificate team-0", statuses: [RESOLVED]', web((i) => i % 6 === 0)],
    ['search: "证书 web-29"', ['web-29']],
    ['search: "100%"', []],
    ['search: "web_7"', []],
    ['subject: { kind: "Ingress", namespace: "team-1", name: "web-7" }', ['web-7']],
    ['subject: { kind: "Deployment", namespace: "shop", name: "api" }', ['api']],
    ['subject: { kind: "Pod", namespace: "shop", name: "api-6d4cf56db6-x2x5d" }', ['api']],
    ['subject: { kind: "Pod", namespace: "shop", name: "api" }', []],
    ['subject: { kind: "Node", name: "web-7" }', []],
  ])('filters by %s', async (filter, names) => {
    expect(await namesOf(filter)).toEqual([...names].sort());
  });

  it('finds one incident by its id, and none by another', async () => {
    const { data } = await casebook.graphql('{ incidents(first: 1) { nodes { id } } }');
    const { id } = data['incidents'].nodes[0];
    const found = await casebook.graphql(
      'query ($id: ID!) { incident(id: $id) { id } none: incident(id: "00000000-0000-4000-8000-000000000000") { id } bad: incident(id: "x") { id } }',
      { id },
    );
    expect(found).toMatchObject({ data: { incident: { id }, none: null, bad: null } });
    expect(found.errors).toBeUndefined();
  });

  it('shows how an incident ended', async () => {
    const { data } = await casebook.graphql(
      '{ incidents(filter: { search: "web-3", statuses: [RESOLVED] }) { nodes { resolvedAt resolvedBy lastSeenAt episodes { startedAt endedAt resolution seconds } } } }',
    );
    expect(data['incidents'].nodes.at(-1)).toEqual({
      resolvedAt: at(100),
      resolvedBy: 'SUCCESS_EVENT',
      lastSeenAt: at(1),
      episodes: [{ startedAt: at(1), endedAt: at(100), resolution: 'SUCCESS_EVENT', seconds: 99 }],
    });
  });
});

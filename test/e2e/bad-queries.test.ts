import { request as httpRequest } from 'node:http';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cpuTime } from '../support/cpu-time.js';
import { e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

describe('bad input over GraphQL', () => {
  let casebook: TestCasebook;

  beforeAll(async () => {
    casebook = await startTestCasebook();
    await casebook.register('prod');
    await casebook.post(
      'prod',
      Array.from({ length: 5 }, (_, i) => e4011({ name: `web-${i}` })),
    );
  });
  afterAll(() => casebook?.stop());
  afterEach(async () => {
    expect((await casebook.graphql('{ incidents { totalCount } }')).data).toEqual({ incidents: { totalCount: 5 } });
    expect(casebook.logged).toEqual([]);
  });

  async function codesOf(query: string, variables?: object): Promise<string[]> {
    const { errors } = await casebook.graphql(query, variables);
    expect(JSON.stringify(errors ?? [])).not.toMatch(/stack|node_modules|SELECT|at \//);
    return (errors ?? []).map(({ extensions }) => extensions.code);
  }

  it.each([
    ['an unknown enum value', '{ incidents(filter: { statuses: [CLOSED] }) { totalCount } }'],
    ['an unknown field', '{ incidents { nonsense } }'],
    ['a syntax error', '{ incidents { '],
    ['nothing', ''],
    ['a page of 0', '{ incidents(first: 0) { totalCount } }'],
    ['a page of -1', '{ incidents(first: -1) { totalCount } }'],
    ['a page of 201', '{ incidents(first: 201) { totalCount } }'],
    ['a page of 201 problems', '{ problems(first: 201) { totalCount } }'],
    ['a number too large for an Int', '{ incidents(first: 99999999999) { totalCount } }'],
    ['a time that is none', '{ incidents(filter: { seenAfter: "yesterday" }) { totalCount } }'],
    ['a time of the year 0', '{ incidents(filter: { seenAfter: "0000-06-01T00:00:00Z" }) { totalCount } }'],
    ['undiagnosed since the year 0', '{ undiagnosed(from: "0000-01-01T00:00:00Z") { occurrences } }'],
    ['undiagnosed up to a year before 1 by its zone', '{ undiagnosed(to: "0001-01-01T00:00:00+01:00") { occurrences } }'],
    ['undiagnosed up to a year after 9999 by its zone', '{ undiagnosed(to: "9999-12-31T23:59:59-01:00") { occurrences } }'],
    ['a NUL in a filter', '{ incidents(filter: { namespaces: ["a\\u0000b"] }) { totalCount } }'],
    ['a NUL in a search', '{ incidents(filter: { search: "a\\u0000b" }) { totalCount } }'],
    ['a NUL in a name', '{ cluster(name: "a\\u0000b") { name } }'],
    ['a search that is too long', `{ problems(search: "${'x'.repeat(300)}") { totalCount } }`],
    ['a cluster without a good name', 'mutation { registerCluster(input: { name: "no spaces please" }) { token } }'],
    ['labels that are none', 'mutation { registerCluster(input: { name: "x", labels: [1] }) { token } }'],
    ['an unknown variable value', '{ incidents(filter: { providers: [AWS] }) { totalCount } }'],
  ])('refuses %s', async (_name, query) => {
    expect(await codesOf(query)).toEqual(['BAD_INPUT']);
  });

  it('refuses 10,000 ids in a filter', async () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `p/${i}`);
    for (const field of ['problems', 'clusters', 'namespaces', 'codes']) {
      const query = 'query ($filter: IncidentFilter) { incidents(filter: $filter) { totalCount } }';
      expect([field, await codesOf(query, { filter: { [field]: ids } })]).toEqual([field, ['BAD_INPUT']]);
    }
  });

  it('refuses an unknown enum value in a variable', async () => {
    expect(
      await codesOf('query ($s: [IncidentStatus!]) { incidents(filter: { statuses: $s }) { totalCount } }', { s: ['CLOSED'] }),
    ).toEqual(['BAD_INPUT']);
  });

  it('refuses a cursor that is damaged or of another list', async () => {
    const cursorOf = async (query: string): Promise<string> => (await casebook.graphql(query)).data['list'].pageInfo.endCursor as string;
    const cursors = {
      order: await cursorOf('{ list: incidents(first: 2, orderBy: { field: FIRST_SEEN_AT }) { pageInfo { endCursor } } }'),
      filter: await cursorOf('{ list: incidents(first: 2, filter: { severities: [ERROR] }) { pageInfo { endCursor } } }'),
      problems: await cursorOf('{ list: problems(first: 2) { pageInfo { endCursor } } }'),
      nonsense: 'nonsense',
      empty: 'W10',
      forged: Buffer.from('["x",1,"not-a-uuid"]').toString('base64url'),
      long: 'A'.repeat(10_000),
    };
    for (const [name, after] of Object.entries(cursors)) {
      expect(await codesOf('query ($after: String) { incidents(after: $after) { totalCount } }', { after }), name).toEqual(['BAD_CURSOR']);
    }
    expect(await codesOf('query ($after: String) { problems(after: $after) { totalCount } }', { after: cursors.order })).toEqual([
      'BAD_CURSOR',
    ]);
    const { data } = await casebook.graphql('{ incidents(first: 2) { nodes { events { pageInfo { endCursor } } } } }');
    const [first, second] = data['incidents'].nodes.map(
      (node: { events: { pageInfo: { endCursor: string } } }) => node.events.pageInfo.endCursor,
    );
    expect(first).not.toBe(second);
    const both = await casebook.graphql(
      'query ($after: String) { incidents(first: 2) { nodes { events(after: $after) { nodes { id } } } } }',
      { after: first },
    );
    expect(both.errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_CURSOR']);
  });

  it.each([
    ['too wide by its type names', `{ incidents { nodes { ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} } } }`],
    [
      'the schema again and again',
      `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: __schema { types { fields { type { ofType { ofType { fields { name } } } } } } }`).join(' ')} }`,
    ],
    ['too deep', `{ problems { nodes { ${'related { '.repeat(12)} id ${'}'.repeat(12)} } } }`],
    ['too deep by a fragment', `{ problems { nodes { ...a } } } fragment a on Problem { ${'related { '.repeat(12)} id ${'}'.repeat(12)} }`],
    ['too wide', `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: clusters { name }`).join(' ')} }`],
    [
      'too much of the audit log at once',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: auditLog(first: 200) { nodes { id } }`).join(' ')} }`,
    ],
    ['too long', `{ ${'clusters { name } '.repeat(2000)} }`],
    ['too many directives', `{ clusters ${'@include(if: true) '.repeat(40)} { name } }`],
    [
      'too much by its pages',
      '{ incidents(first: 200) { nodes { affected(first: 100) { name } events(first: 100) { nodes { id } edges { node { id } } } episodes(first: 100) { startedAt } } } }',
    ],
    ['too much by what it relates', `{ problems(first: 200) { nodes { ${'related { '.repeat(6)} id ${'}'.repeat(6)} } } }`],
    [
      'growing by its fragments',
      `{ problems { nodes { ...f0 } } } ${Array.from({ length: 24 }, (_, i) => `fragment f${i} on Problem { id ${i < 23 ? `...f${i + 1} ...f${i + 1}` : ''} }`).join(' ')}`,
    ],
  ])('refuses a query that asks %s', async (_name, query) => {
    expect(await cpuTime(async () => expect(await codesOf(query)).toContain('TOO_LARGE'))).toBeLessThan(2000);
  });

  it('refuses a good cursor with a time that the database does not have', async () => {
    const forgedOf = (cursor: string): string => {
      const [mark, , ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      return Buffer.from(JSON.stringify([mark, -8.64e15, ...rest])).toString('base64url');
    };
    const lists = ['incidents(first: 1', 'incidents(first: 1, orderBy: { field: FIRST_SEEN_AT, direction: ASC }'];
    for (const list of lists) {
      const { data } = await casebook.graphql(`{ list: ${list}) { pageInfo { endCursor } } }`);
      const after = forgedOf(data['list'].pageInfo.endCursor as string);
      expect(await codesOf(`query ($after: String) { ${list}, after: $after) { nodes { id } } }`, { after }), list).toEqual(['BAD_CURSOR']);
    }
    const events = '{ incidents(first: 1) { nodes { events(first: 1) { pageInfo { endCursor } } } } }';
    const [node] = (await casebook.graphql(events)).data['incidents'].nodes;
    const query = 'query ($after: String) { incidents(first: 1) { nodes { events(first: 1, after: $after) { nodes { id } } } } }';
    expect(await codesOf(query, { after: forgedOf(node.events.pageInfo.endCursor as string) })).toEqual(['BAD_CURSOR']);
  });

  it('refuses too much that is hidden in a variable', async () => {
    const query =
      'query ($n: Int) { incidents(first: $n) { nodes { events(first: 100) { nodes { id } edges { node { id } } } affected(first: 100) { name } } } }';
    expect(await codesOf(query, { n: 200 })).toEqual(['TOO_LARGE']);
    expect(await codesOf(query, { n: 5 })).toEqual([]);
  });

  it('refuses a list of queries, a query over a plain form, and a body that is too large', async () => {
    const json = { 'content-type': 'application/json' };
    const answers = [
      await casebook.send('POST', '/graphql', { body: '[{"query":"{ clusters { name } }"}]', headers: json }),
      await casebook.send('POST', '/graphql', { body: '{"query":"{ clusters { name } }"}', headers: { 'content-type': 'text/plain' } }),
      await casebook.send('POST', '/graphql', { body: '{', headers: json }),
      await casebook.send('GET', '/graphql?query={clusters{name}}'),
      await casebook.send('POST', '/graphql', { body: `{"query":"${' '.repeat(3 * 1024 * 1024)}"}`, headers: json }),
    ];
    expect(answers.map(({ status, body }) => [status, body.errors[0].extensions.code])).toEqual([
      [400, 'BAD_INPUT'],
      [400, 'BAD_INPUT'],
      [400, 'BAD_INPUT'],
      [400, 'BAD_INPUT'],
      [413, 'TOO_LARGE'],
    ]);
  });

  it('refuses a Host header that is no host', async () => {
    const { hostname, port } = new URL(casebook.url);
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, path: '/graphql', method: 'POST', headers: { host: 'a b:c', 'content-type': 'application/json' } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      request.on('error', reject).end('{"query":"{ clusters { name } }"}');
    });
    expect(status).toBe(400);
  });

  it('survives variables nested half a million deep', async () => {
    const events = `${'['.repeat(5e5)}${']'.repeat(5e5)}`;
    const answer = await casebook.send('POST', '/graphql', {
      body: `{"query":"query ($e: [JSON!]!) { diagnose(events: $e) { index } }","variables":{"e":[${events}]}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });

  it('answers introspection, and conflicts with their own code', async () => {
    expect(await codesOf(getIntrospectionQuery())).toEqual([]);
    expect(await codesOf('mutation { registerCluster(input: { name: "prod" }) { token } }')).toEqual(['CONFLICT']);
  });
});

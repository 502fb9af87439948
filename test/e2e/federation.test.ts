/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeServices } from '@theguild/federation-composition';
import { readFile } from 'node:fs/promises';
import { buildSchema, isObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash, e4011 } from '../support/core-event.js';
import { statementsOf } from '../support/count-statements.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

/** A subgraph of another team, with lists and page positions of its own. */
const TEAMS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@shareable", "@external", "@requires"])
  scalar DateTime
  type Query { teams(first: Int, after: String): TeamConnection!  incidentOfTicket(key: String!): Incident }
  type Team @key(fields: "id") { id: ID!  name: String!  clusters: [Cluster!]! }
  type TeamConnection { nodes: [Team!]!  pageInfo: PageInfo! }
  type PageInfo @shareable { hasNextPage: Boolean!  hasPreviousPage: Boolean!  startCursor: String  endCursor: String }
  type Cluster @key(fields: "name") { name: String!  region: String @external  owner: Team!  onCall: String! @requires(fields: "region") }
  type Incident @key(fields: "id") { id: ID!  ticket: Ticket }
  type Ticket { key: String!  openedAt: DateTime! }
  type Problem @key(fields: "id") { id: ID!  runbook: String }
`;

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Cluster { name provider openIncidents tokens { id } }
    ... on Incident { id status cluster { name } events(first: 3) { nodes { reason } } }
    ... on Problem { id title }
  }
}`;
const OF_CLUSTERS = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Cluster { name openIncidents } } }`;

let casebook: TestCasebook;
/** Id of an incident, by its cluster. */
const incidents: Record<string, string> = {};
const tokens: Record<string, string> = {};

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
  for (const cluster of ['here', 'there', 'third', 'fourth']) {
    await casebook.register(cluster);
    await casebook.post(cluster, [e4011({ name: 'web', namespace: 'shop' }), crash({ name: 'api-6d4cf56db6-x2x5p', namespace: 'other' })]);
    const { data } = await casebook.graphql(`{ incidents(filter: { clusters: ["${cluster}"], kinds: ["Ingress"] }) { nodes { id } } }`);
    incidents[cluster] = data.incidents.nodes[0].id;
  }
  for (const [who, input] of Object.entries({ viewer: { clusters: ['here'] }, guest: { namespaces: ['nothing'] } })) {
    const { data } = await casebook.graphql('mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }', {
      input: { name: who, role: 'VIEWER', ...input },
    });
    tokens[who] = data.createApiToken.token;
  }
});
afterAll(() => casebook?.stop());

/** Asks as a router does: over HTTP, with the token of its client. */
async function ask(query: string, variables: object = {}, token: string = ADMIN_TOKEN): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  return (await casebook.send('POST', '/graphql', { body: { query, variables }, headers, token })).body;
}
const entities = (representations: unknown[], token?: string, query: string = ENTITIES): Promise<any> =>
  ask(query, { representations }, token);

describe('the schema that _service tells', () => {
  let sdl: string;
  beforeAll(async () => void (sdl = (await ask('{ _service { sdl } }', {}, tokens['viewer'])).data._service.sdl));

  it('is a subgraph for the implementation of Apollo', () => {
    const own = buildSubgraphSchema({ typeDefs: parse(sdl) });
    expect(own.getType('_Entity')?.toString()).toBe('_Entity');
    expect((own.getType('_Entity') as any).getTypes().map(String).sort()).toEqual(['Cluster', 'Incident', 'Problem']);
  });

  it('is composed with the example of docs/federation.md', async () => {
    const [, example] = /```graphql\n([^]*?)```/.exec(await readFile('docs/federation.md', 'utf8'))!;
    const { errors } = composeServices([
      { name: 'casebook', url: casebook.url, typeDefs: parse(sdl) },
      { name: 'teams', url: 'http://teams.example', typeDefs: parse(example!) },
    ]);
    expect(errors ?? []).toEqual([]);
  });

  it('is composed with a subgraph that adds to each entity and has pages of its own', () => {
    const { errors, supergraphSdl } = composeServices([
      { name: 'casebook', url: casebook.url, typeDefs: parse(sdl) },
      { name: 'teams', url: 'http://teams.example', typeDefs: parse(TEAMS) },
    ]);
    expect(errors ?? []).toEqual([]);
    const api = buildSchema(supergraphSdl!, { assumeValidSDL: true });
    const fieldsOf = (name: string): string[] => {
      const type = api.getType(name);
      return isObjectType(type) ? Object.keys(type.getFields()) : [];
    };
    expect(fieldsOf('Cluster')).toEqual(expect.arrayContaining(['name', 'openIncidents', 'owner', 'onCall']));
    expect(fieldsOf('Incident')).toEqual(expect.arrayContaining(['status', 'diagnosis', 'ticket']));
    expect(fieldsOf('Problem')).toEqual(expect.arrayContaining(['title', 'runbook']));
    expect(fieldsOf('Subscription')).toEqual(['incidentChanged']);
    expect(fieldsOf('Query')).toEqual(expect.arrayContaining(['incidents', 'teams']));
    expect(fieldsOf('Query').filter((name) => name.startsWith('_'))).toEqual([]);
  });
});

describe('_entities', () => {
  it('answers what a router asks for, in its order', async () => {
    const { data, errors } = await entities([
      { __typename: 'Problem', id: 'tke/ingress/E4011' },
      { __typename: 'Incident', id: incidents['there'] },
      { __typename: 'Cluster', name: 'here', region: 'of no matter' },
      { __typename: 'Incident', id: incidents['here']!.toUpperCase() },
      { __typename: 'Incident', id: incidents['there'] },
    ]);
    expect(errors).toBeUndefined();
    const there = { __typename: 'Incident', id: incidents['there'], status: 'OPEN', cluster: { name: 'there' } };
    expect(data._entities).toMatchObject([
      { __typename: 'Problem', id: 'tke/ingress/E4011', title: expect.any(String) },
      { ...there, events: { nodes: [{ reason: expect.any(String) }] } },
      { __typename: 'Cluster', name: 'here', provider: 'TKE', openIncidents: 2, tokens: [{ id: expect.any(String) }] },
      { __typename: 'Incident', id: incidents['here'], cluster: { name: 'here' } },
      there,
    ]);
  });

  it('tells nothing of what does not exist or lies outside the scope', async () => {
    const asked = [
      { __typename: 'Cluster', name: 'nosuch' },
      { __typename: 'Cluster', name: 'there' },
      { __typename: 'Incident', id: '4b0c0a9e-0000-4000-8000-000000000000' },
      { __typename: 'Incident', id: 'no id at all' },
      { __typename: 'Incident', id: incidents['there'] },
      { __typename: 'Problem', id: 'tke/ingress/none' },
      { __typename: 'Cluster', name: 'here' },
      { __typename: 'Incident', id: incidents['here'] },
    ];
    const query = ENTITIES.replace(' tokens { id }', '');
    const { data, errors } = await entities(asked, tokens['viewer'], query);
    expect(errors).toBeUndefined();
    expect(data._entities.map((entity: any) => entity?.__typename ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      'Cluster',
      'Incident',
    ]);
    const guest = await entities([{ __typename: 'Incident', id: incidents['here'] }], tokens['guest'], query);
    expect(guest).toMatchObject({ data: { _entities: [null] } });
  });

  it('asks for the role that a field needs', async () => {
    const { errors } = await entities([{ __typename: 'Cluster', name: 'here' }], tokens['viewer']);
    expect(errors.map((error: any) => [error.path.join('.'), error.extensions.code])).toEqual([['_entities.0.tokens', 'FORBIDDEN']]);
  });

  it('asks the database as often for many as for one', async () => {
    const of = (clusters: string[]): object[] =>
      clusters.flatMap((name) => [
        { __typename: 'Cluster', name },
        { __typename: 'Incident', id: incidents[name] },
      ]);
    const one = await statementsOf(() => entities(of(['here'])));
    expect(await statementsOf(() => entities(of(['here', 'there', 'third', 'fourth'])))).toEqual(one);
  });

  it.each([
    ['a text', '"here"', /object/],
    ['a list', '[]', /object/],
    ['one without a type', '{"name":"here"}', /__typename/],
    ['one of a type that is no entity', '{"__typename":"PageInfo","name":"here"}', /PageInfo/],
    ['one of a type that there is not', '{"__typename":"constructor","name":"here"}', /constructor/],
    ['one without its key', '{"__typename":"Cluster","id":"1"}', /"name"/],
    ['one with a key that is no text', '{"__typename":"Incident","id":{"a":1}}', /"id"/],
    ['one with a NUL', '{"__typename":"Cluster","name":"a\\u0000b"}', /NUL/],
    ['one with a key that is too long', JSON.stringify({ __typename: 'Cluster', name: 'x'.repeat(2000) }), /longer/],
  ])('refuses %s, in its own place', async (_what, text, said) => {
    const { data, errors } = await entities([{ __typename: 'Cluster', name: 'here' }, JSON.parse(text)], undefined, OF_CLUSTERS);
    expect(errors.map((error: any) => error.extensions.code)).toEqual(['BAD_INPUT']);
    expect(errors).toMatchObject([{ message: expect.stringMatching(said), path: ['_entities', 1] }]);
    expect(data._entities).toEqual([{ name: 'here', openIncidents: 2 }, null]);
  });

  it('takes a thousand, and no more', async () => {
    const many = (count: number): object[] =>
      Array.from({ length: count }, (_, i) => ({ __typename: 'Cluster', name: i === 7 ? 'here' : `c${i}` }));
    const { data } = await entities(many(1000), undefined, OF_CLUSTERS);
    expect(data._entities.filter(Boolean)).toEqual([{ name: 'here', openIncidents: 2 }]);
    const { errors } = await entities(many(1001), undefined, OF_CLUSTERS);
    expect(errors).toMatchObject([{ message: expect.stringContaining('1000'), extensions: { code: 'TOO_LARGE' } }]);
  });

  it('counts as much as it may return', async () => {
    const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Incident { events(first: 100) { nodes { id } } } } }`;
    const many = Array.from({ length: 500 }, () => ({ __typename: 'Incident', id: incidents['here'] }));
    expect((await entities(many.slice(0, 10), undefined, query)).errors).toBeUndefined();
    expect((await entities(many, undefined, query)).errors).toMatchObject([{ extensions: { code: 'TOO_LARGE' } }]);
  });

  it('tells a router of costs, and gives away no traces', async () => {
    const headers = { 'content-type': 'application/json', 'apollo-federation-include-trace': 'ftv1' };
    const body = { query: OF_CLUSTERS, variables: { representations: [{ __typename: 'Cluster', name: 'here' }] } };
    const answer = await casebook.send('POST', '/graphql', { body, headers, token: ADMIN_TOKEN });
    expect(answer.body.extensions).toEqual({ cost: { requested: 1, limit: 50_000 } });
  });

  it('is for users only', async () => {
    const { token } = (await casebook.send('POST', '/v1/clusters', { body: { name: 'sender' }, token: ADMIN_TOKEN })).body;
    const codes = await Promise.all(
      ['{ _service { sdl } }', '{ _entities(representations: []) { __typename } }'].map((query) => ask(query, {}, token)),
    );
    expect(codes.map((body) => body.errors[0].extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  });
});

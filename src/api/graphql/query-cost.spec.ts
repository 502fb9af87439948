import type { FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { queryCost } from './query-cost.js';

const schema = buildSchema(`
  type Query { things(first: Int = 20): ThingConnection!  all: [Thing!]!  one: Thing _entities(representations: [Any!]!): [Either]! }
  scalar Any
  type ThingConnection { nodes: [Thing!]! edges: [Edge!]! total: Int! }
  type Edge { node: Thing! }
  type Thing { id: ID! parts(first: Int = 10): [Thing!]! others: [Thing!]! either: [Either!]! }
  type Other { things(first: Int = 20): [Thing!]! }
  union Either = Thing | Other
`);

function costOf(text: string, variables: Record<string, unknown> = {}, limit = 1e6): number {
  const { definitions } = parse(text);
  const operation = definitions.find((node) => node.kind === 'OperationDefinition') as OperationDefinitionNode;
  const fragments = new Map(
    definitions.filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition').map((node) => [node.name.value, node]),
  );
  return queryCost({ schema, operation, fragments, variables }, limit);
}

describe('queryCost', () => {
  it.each([
    ['{ one { id } }', 1],
    ['{ all { id } }', 5],
    ['{ things { total } }', 20],
    ['{ things(first: 3) { nodes { id } } }', 6],
    ['{ things(first: 3) { edges { node { id } } } }', 9],
    ['{ things(first: 3) { nodes { parts(first: 4) { id } } } }', 3 + 3 + 12],
    ['{ all { others { others { id } } } }', 5 + 25 + 125],
    ['{ a: one { id } b: one { id } }', 2],
    ['{ one { ...f } } fragment f on Thing { parts(first: 2) { ... on Thing { id } } }', 3],
    ['{ one { either { ... on Other { things(first: 7) { id } } ... on Thing { id } } } }', 1 + 5 + 35],
    ['{ _entities(representations: [{ id: 1 }, { id: 2 }, { id: 3 }]) { ... on Thing { parts(first: 2) { id } } } }', 3 + 6],
    ['{ things(first: -5) { nodes { id } } }', 2],
    ['{ __typename __schema { queryType { name } } }', 2],
    ['{ __schema { types { name fields { type { name } } } } }', 1 + 100 + 300 + 300],
    ['{ __type(name: "Thing") { fields { type { ofType { name } } } } }', 1 + 3 + 3 + 3],
    ['{ things(first: 3) { nodes { __typename } } }', 6],
  ])('counts %s', (query, cost) => {
    expect(costOf(query)).toBe(cost);
  });

  it('sees variables', () => {
    expect(costOf('query ($n: Int) { things(first: $n) { total } }', { n: 100 })).toBe(100);
    expect(costOf('query ($n: Int) { things(first: $n) { total } }')).toBe(20);
    expect(costOf('query ($r: [Any!]!) { _entities(representations: $r) { ... on Thing { id } } }', { r: [1, 2, 3, 4] })).toBe(4);
  });

  it('tells by how much a limit is exceeded', () => {
    expect(costOf('{ all { others { others { id } } } }', {}, 10)).toBe(155);
  });

  it('stops early on fragments that double again and again', () => {
    const fragments = Array.from(
      { length: 60 },
      (_, i) => `fragment f${i} on Thing { id ${i < 59 ? `...f${i + 1} ...f${i + 1}` : ''} }`,
    ).join(' ');
    expect(costOf(`{ one { ...f0 } } ${fragments}`, {}, 10_000)).toBe(10_001);
  });
});

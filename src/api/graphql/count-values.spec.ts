import type { GraphQLObjectType } from 'graphql';
import { buildSchema, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { countValues } from './count-values.js';
import { ValueBudget } from './value-budget.js';

const schema = buildSchema(`
  type Query { things: [Thing!]! later: [Thing!]! one: Thing maybe: [Thing] words: [String!]! }
  type Thing { id: ID! parts: [Thing!]! other: Thing text: String texts: [Thing!]! name: String! }
`);
const thing = (parts: number): object => ({ id: 't', parts: Array.from({ length: parts }, () => thing(0)), other: { id: 'o' } });
const rootValue = {
  things: [thing(2), thing(2), thing(2)],
  later: async () => [thing(0), thing(0), thing(0)],
  one: thing(4),
  maybe: [null, thing(0)],
  words: Array.from({ length: 1000 }, () => 'word'),
};
const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType).getFields();
fieldsOf('Thing')['text']!.resolve = async () => 'text';
fieldsOf('Thing')['texts']!.resolve = async () => [];
fieldsOf('Thing')['name']!.resolve = async () => 'name';
for (const field of ['Query', 'Thing'].flatMap((name) => Object.values(fieldsOf(name)))) countValues(field);

async function outcomeOf(source: string, limit: number): Promise<{ refused: boolean; errors: string[] }> {
  const values = new ValueBudget(limit);
  const { errors = [] } = await graphql({ schema, source, rootValue, contextValue: { values } });
  return { refused: values.refusal !== undefined, errors: errors.map(({ message }) => message) };
}

describe('countValues', () => {
  it.each([
    ['{ things { id } }', 3],
    ['{ things { parts { id } } }', 9],
    ['{ a: things { id } b: things { id } }', 6],
    ['{ later { id } one { id } }', 4],
    ['{ things { other { id } } }', 6],
    ['{ maybe { id } }', 2],
    ['{ things { a: text b: text } }', 9],
    ['{ things { texts { id } } }', 6],
    ['{ one { id } words }', 1],
  ])('lets %s have %d values, and no fewer', async (source, count) => {
    expect(await outcomeOf(source, count)).toEqual({ refused: false, errors: [] });
    expect(await outcomeOf(source, count - 1)).toMatchObject({ refused: true, errors: [expect.stringMatching(/more than \d+ objects/)] });
  });

  it('makes one error, however many fields were still to come', async () => {
    const source = '{ things { a: other { id } b: other { id } c: other { id } d: text parts { e: name } } maybe { id } one { id } }';
    for (const limit of [2, 4, 9, 12]) expect([limit, (await outcomeOf(source, limit)).errors.length]).toEqual([limit, 1]);
  });

  it('leaves no promise behind that nobody waits for', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await outcomeOf('{ later { texts { id } name other { name } parts { name } } things { name texts { name } parts { name } } }', 8);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

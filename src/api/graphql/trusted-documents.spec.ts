import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkTrustedDocuments, parseTrustedDocuments, TrustedDocumentsError } from './trusted-documents.js';

const manifest = (operations: unknown, more: object = {}): string =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations, ...more });
const operation = (id: string, body: string): object => ({ id, name: 'A', type: 'query', body });

describe('parseTrustedDocuments', () => {
  it('reads what Apollo writes', () => {
    const text = manifest([operation('1f', 'query A { a }'), { ...operation('2f', 'mutation B { b }'), clientName: 'portal' }]);
    expect([...parseTrustedDocuments(`\ufeff${text}`, 'm.json')]).toEqual([
      ['1f', 'query A { a }'],
      ['2f', 'mutation B { b }'],
    ]);
  });

  it.each([
    ['no JSON', '{', /m\.json.*no JSON/s],
    ['another format', manifest([], { format: 'relay' }), /format/],
    ['another version', manifest([], { version: 2 }), /version/],
    ['no operations', manifest(undefined), /operations/],
    ['an operation without an id', manifest([{ body: '{ a }' }]), /operations\.0\.id/],
    ['a body that is empty', manifest([operation('1', '')]), /operations\.0\.body/],
    ['a body that is no document', manifest([operation('first', 'query {')]), /"first" \(A\): Syntax Error/],
    ['a body without an operation', manifest([operation('1', 'fragment f on T { a }')]), /"1".*no operation/],
    ['a body that is too long', manifest([operation('1', `{ ${'a '.repeat(3000)} }`)]), /"1".*tokens/],
    ['an id twice', manifest([operation('1', '{ a }'), operation('1', '{ b }')]), /"1".*another document/],
    ['too many operations', manifest(Array.from({ length: 10_001 }, (_, i) => operation(String(i), '{ a }'))), /operations/],
  ])('refuses %s, and says where', (_name, text, said) => {
    expect(() => parseTrustedDocuments(text, 'm.json')).toThrow(TrustedDocumentsError);
    expect(() => parseTrustedDocuments(text, 'm.json')).toThrow(said);
  });

  it('tells the first ten mistakes and how many there are besides', () => {
    const wrong = manifest(Array.from({ length: 15 }, (_, i) => operation(`id-${i}`, '{')));
    expect(() => parseTrustedDocuments(wrong, 'm.json')).toThrow(/"id-9"[^]*and 5 more/);
  });
});

describe('checkTrustedDocuments', () => {
  const schema = buildSchema('type Query { a: String }');

  it('takes what the schema can answer', () => {
    expect(() => checkTrustedDocuments(new Map([['1', '{ a }']]), schema, [])).not.toThrow();
  });

  it('names each document that the schema cannot answer', () => {
    expect(() =>
      checkTrustedDocuments(
        new Map([
          ['1', '{ gone }'],
          ['2', '{ a }'],
          ['3', '{ b }'],
        ]),
        schema,
        [],
      ),
    ).toThrow(/"1": Cannot query field "gone"[^]*"3": Cannot query field "b"/);
  });
});

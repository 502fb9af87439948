import type { FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { selectsField } from './selects-field.js';

/** Whether the fields called `one` at the root of a query select `wanted`. */
function selects(text: string): boolean {
  const { definitions } = parse(text);
  const operation = definitions[0] as OperationDefinitionNode;
  const found = definitions.filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION);
  const fieldNodes = operation.selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
  return selectsField({ fieldNodes, fragments: Object.fromEntries(found.map((node) => [node.name.value, node])) }, 'wanted');
}

describe('selectsField', () => {
  it.each([
    '{ one { id wanted { id } } }',
    '{ one { renamed: wanted { id } } }',
    '{ one { id } one { wanted } }',
    '{ one { ... on Thing { ... { wanted } } } }',
    '{ one { ...a } } fragment a on Thing { id ...b } fragment b on Thing { wanted }',
    'query ($no: Boolean!) { one { wanted @include(if: $no) } }',
  ])('finds the field in %s', (text) => expect(selects(text)).toBe(true));

  it.each([
    '{ one { id other { wanted } } }',
    '{ one { wanted: other } }',
    '{ one }',
    '{ one { ...a ...a } } fragment a on Thing { ...b ...b } fragment b on Thing { id }',
    '{ one { id } } fragment a on Thing { wanted }',
  ])('does not find it in %s', (text) => expect(selects(text)).toBe(false));
});

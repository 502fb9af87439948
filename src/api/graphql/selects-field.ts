import type { FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/**
 * Whether a query selects a field of what is being resolved, so that what it takes need not be read for others. One that @skip or @include
 * leaves out counts as selected.
 */
export function selectsField({ fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>, name: string): boolean {
  // Fragments that spread each other twice grow without end: each is looked at once.
  const left = new Map<string, FragmentDefinitionNode>(Object.entries(fragments));
  const selects = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      if (selection.kind === Kind.INLINE_FRAGMENT) return selects(selection.selectionSet);
      const fragment = left.get(selection.name.value);
      left.delete(selection.name.value);
      return selects(fragment?.selectionSet);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => selects(selectionSet));
}

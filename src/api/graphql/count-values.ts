import type { GraphQLField, GraphQLOutputType } from 'graphql';
import { defaultFieldResolver, getNamedType, isCompositeType, isEnumType, isListType, isNonNullType, isScalarType } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';
import type { ValueBudget } from './value-budget.js';

/** Names of the functions that read what lies ready in an object: of graphql-js, and of Nest for what is declared as a field of a class. */
const READS: ReadonlySet<string> = new Set([defaultFieldResolver.name, 'rootFieldResolver']);

/**
 * Makes a field take what it returns from the budget of the answer: one for each object, and one for a value that a resolver computes.
 * What lies ready in its object costs next to nothing, and stays as it is.
 */
export function countValues(field: GraphQLField<unknown, GraphqlContext>): void {
  const { resolve = defaultFieldResolver } = field;
  const holdsObjects = isCompositeType(getNamedType(field.type));
  const isComputed = !READS.has(resolve.name);
  if (!holdsObjects && !isComputed) return;
  const placeholder = placeholderOf(field.type);
  // Resolvers of all rows begin before the first of them ends.
  const ahead = isComputed ? 1 : 0;
  field.resolve = (source, args, context, info) => {
    const { values } = context;
    // Nobody sees the rest of a refused answer. It goes on without errors: one for each field would be larger than the answer.
    if (values.refusal && placeholder !== undefined) return placeholder;
    const refused = take(values, ahead);
    if (refused) return refused;
    const value: unknown = resolve(source, args, context, info);
    if (!holdsObjects) return value;
    return value instanceof Promise ? value.then((found: unknown) => taken(values, found, ahead)) : taken(values, value, ahead);
  };
}

function taken(values: ValueBudget, value: unknown, ahead: number): unknown {
  const objects = Array.isArray(value) ? value.length : value === null || value === undefined ? 0 : 1;
  return take(values, Math.max(0, objects - ahead)) ?? value;
}

/**
 * Takes some values; a refusal is a promise that breaks, once for each answer. A resolver that throws at once in a list makes graphql-js
 * drop the promises of the rows before it, and one of those that breaks later ends the process.
 */
function take(values: ValueBudget, some: number): Promise<never> | undefined {
  const refusal = values.take(some);
  return refusal && Promise.reject(refusal);
}

/** Something that the type allows and that asks for no more; undefined where there is none, as for an object that must be there. */
function placeholderOf(type: GraphQLOutputType): unknown {
  if (!isNonNullType(type)) return null;
  const { ofType } = type;
  if (isListType(ofType)) return [];
  if (isEnumType(ofType)) return ofType.getValues()[0]?.value;
  // Every scalar can be written of it, as text, number or time.
  return isScalarType(ofType) ? 0 : undefined;
}

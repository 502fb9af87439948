import type { GraphQLArgument, GraphQLField, GraphQLInputField, GraphQLInputType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

/** Values for arguments: by the path from the type of the operation (`Query.incident.id`), by `Type.field` of an input, or by the name. */
export type Values = Readonly<Record<string, unknown>>;

/** Fields and types that the walk does not select. */
export interface Selecting {
  /** Whether a field may be selected: one that is refused would hide its neighbours. */
  allows: (field: GraphQLField<unknown, unknown>) => boolean;
  /** `Type.field` of what changes by itself. */
  without: ReadonlySet<string>;
  /** Types that hold nothing of any cluster: only that they are there is asked. */
  closed: ReadonlySet<string>;
}

/** One way to ask for a field of a root type. */
export interface Call {
  /** `Query.incidents(filter.clusters)`: the field and what was filled in. */
  label: string;
  /** Arguments that were filled in. */
  filled: readonly string[];
  query: string;
  variables: Record<string, unknown>;
}

/** Arguments that only say how much, how long and in what order: alone they make no difference to what is seen. */
export const NEUTRAL: ReadonlySet<string> = new Set([
  'bucket',
  'first',
  'from',
  'locale',
  'minClusters',
  'orderBy',
  'timeZone',
  'to',
  'withinHours',
]);

/** The walk came to an argument that nobody said a value for. */
export class UnfilledError extends Error {}

const DEEPEST = 6;
const OPERATIONS: Record<string, string> = { Query: 'query', Mutation: 'mutation', Subscription: 'subscription' };

/**
 * Every way to ask for a field that can make a difference: with what it requires, with each optional argument alone that is not neutral,
 * with each field of an input alone, and with everything.
 */
export function callsOf(schema: GraphQLSchema, root: string, name: string, values: Values, selecting: Selecting): Call[] {
  const type = schema.getType(root);
  if (!isObjectType(type)) return [];
  const field = type.getFields()[name]!;
  const required = field.args.filter(isRequiredArgument);
  const optional = field.args.filter((arg) => !isRequiredArgument(arg));
  const path = `${root}.${name}`;
  const plain = Object.fromEntries(required.map((arg) => [arg.name, valueOf(arg.type, `${path}.${arg.name}`, arg, values, 'required')]));
  const full = Object.fromEntries(field.args.map((arg) => [arg.name, valueOf(arg.type, `${path}.${arg.name}`, arg, values, 'all')]));
  const sets: [string[], Record<string, unknown>][] = [[[], plain]];
  for (const arg of optional.filter(({ name: each }) => !NEUTRAL.has(each))) {
    const input = getNamedType(arg.type);
    if (!isInputObjectType(input)) sets.push([[arg.name], { ...plain, [arg.name]: full[arg.name] }]);
    else
      for (const inner of Object.values(input.getFields())) {
        const needed = valueOf(arg.type, `${path}.${arg.name}`, arg, values, 'required') as object;
        const one = valueOf(inner.type, `${input.name}.${inner.name}`, inner, values, 'all');
        sets.push([[`${arg.name}.${inner.name}`], { ...plain, [arg.name]: { ...needed, [inner.name]: one } }]);
      }
  }
  if (field.args.length > 0) sets.push([field.args.map((arg) => arg.name), full]);
  const selection = select(field.type, [], values, selecting);
  return sets.map(([filled, variables]) => {
    const used = field.args.filter((arg) => arg.name in variables);
    const declared = used.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const query = `${OPERATIONS[root]}${declared && ` (${declared})`} { ${name}${passed && `(${passed})`} ${selection} }`;
    return { label: `${path}(${filled.join(' ')})`, filled, query, variables };
  });
}

function valueOf(
  type: GraphQLInputType,
  path: string,
  arg: GraphQLArgument | GraphQLInputField,
  values: Values,
  which: 'required' | 'all',
): unknown {
  const known = [path, arg.name].find((key) => Object.hasOwn(values, key));
  const nullable = getNullableType(type);
  if (known !== undefined) {
    const value = values[known];
    return isListType(nullable) && !Array.isArray(value) ? [value] : value;
  }
  if (isListType(nullable)) return [valueOf(nullable.ofType as GraphQLInputType, path, arg, values, which)];
  if (isEnumType(nullable)) return nullable.getValues()[0]!.name;
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields()).filter((field) => which === 'all' || isRequiredInputField(field));
    return Object.fromEntries(
      fields.map((field) => [field.name, valueOf(field.type, `${nullable.name}.${field.name}`, field, values, which)]),
    );
  }
  if (String(nullable) === 'Boolean') return true;
  throw new UnfilledError(
    `the walk does not know what to give for "${path}" (${String(type)}): put a value under that name into VALUES of test/e2e/schema-walk.test.ts, aimed at what a stranger must not see`,
  );
}

/** Everything below a type, as deep as it goes without coming back to itself. */
function select(type: GraphQLOutputType, trail: readonly string[], values: Values, selecting: Selecting): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named)) {
    const each = named.getTypes().map((member) => `... on ${member.name} ${select(member, trail, values, selecting)}`);
    return `{ __typename ${each.join(' ')} }`;
  }
  if (!isObjectType(named) || selecting.closed.has(named.name)) return '{ __typename }';
  const parts: string[] = ['__typename'];
  for (const field of Object.values(named.getFields()) as GraphQLField<unknown, unknown>[]) {
    const inner = getNamedType(field.type);
    if (field.name === 'edges' || selecting.without.has(`${named.name}.${field.name}`) || !selecting.allows(field)) continue;
    if (!isLeafType(inner) && (trail.includes(inner.name) || trail.length >= DEEPEST)) continue;
    const args = field.args.filter((arg) => isNonNullType(arg.type) || arg.name === 'first');
    const passed = args.map(
      (arg) =>
        `${arg.name}: ${literal(arg.name === 'first' ? 3 : valueOf(arg.type, `${named.name}.${field.name}.${arg.name}`, arg, values, 'all'), arg)}`,
    );
    parts.push(
      `${field.name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${select(field.type, [...trail, named.name], values, selecting)}`,
    );
  }
  return `{ ${parts.join(' ')} }`;
}

function literal(value: unknown, { type }: GraphQLArgument): string {
  return isEnumType(getNamedType(type)) ? String(value) : JSON.stringify(value);
}

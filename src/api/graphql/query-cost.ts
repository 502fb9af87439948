import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';

/** A query, and all that its cost depends on. */
export interface CostedQuery {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Readonly<Record<string, unknown>>;
}

/** What an operation costs, as its answers tell it. */
export interface QueryCost {
  /** Objects that it is reckoned to return: of pages as many as they may have, of other lists a guess. Above the limit, at least so many. */
  requested: number;
  /** Most that one operation may ask for. */
  limit: number;
}

/** How many rows a list without "first" is taken to have. */
const LIST_SIZE = 5;
/** The same of what a schema tells of itself: of its types, and of what each of them has. */
const TYPES = 100;
const PARTS_OF_TYPE = 3;

/**
 * Reckons how many objects a query returns: by the sizes of its pages at most, and by guess for other lists. Gives up after
 * `limit` selections, so that a hostile query costs no time either: what it tells then is above the limit, and less than the truth.
 */
export function queryCost(query: CostedQuery, limit: number): number {
  const root = query.schema.getRootType(query.operation.operation);
  const count = new Counter(query, limit);
  if (root) count.selections(query.operation.selectionSet, root, 1);
  // Beyond what a number can tell exactly, how much it is does not matter.
  return Math.min(count.total, Number.MAX_SAFE_INTEGER);
}

/** The cost of one operation of a document, as `queryCost` counts it, and the limit. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  limit: number,
): QueryCost {
  const definitions = document.definitions.filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(definitions.map((fragment) => [fragment.name.value, fragment]));
  const given = { ...defaultsOf(operation), ...variables };
  return { requested: queryCost({ schema, operation, fragments, variables: given }, limit), limit };
}

/** What variables are that the caller leaves out. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

class Counter {
  total = 0;
  #steps = 0;

  constructor(
    private readonly query: CostedQuery,
    private readonly limit: number,
  ) {}

  /** Adds what a selection set returns for `times` objects of its type. */
  selections(set: SelectionSetNode, type: GraphQLCompositeType, times: number): void {
    for (const selection of set.selections) {
      // Fragments that spread each other twice grow without returning anything.
      if (++this.#steps > this.limit) {
        this.total = Math.max(this.total, this.limit + 1);
        return;
      }
      if (selection.kind === Kind.FIELD) this.#field(selection, type, times);
      else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.query.fragments.get(selection.name.value);
        if (fragment) this.selections(fragment.selectionSet, this.#typeOf(fragment) ?? type, times);
      }
    }
  }

  /** The type that a fragment is on: of a union it is the only one with fields. */
  #typeOf({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode): GraphQLCompositeType | undefined {
    const type = typeCondition && this.query.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? type : undefined;
  }

  #field(field: FieldNode, type: GraphQLCompositeType, times: number): void {
    if (!field.selectionSet || !(isObjectType(type) || isInterfaceType(type))) return;
    const definition = type.getFields()[field.name.value] ?? this.#meta(field.name.value, type);
    if (!definition) return;
    const named = getNamedType(definition.type);
    if (!isCompositeType(named)) return;
    const page = this.#page(field, definition.args.find(({ name }) => name === 'first')?.defaultValue) ?? this.#given(field);
    const isList = isListType(isNonNullType(definition.type) ? definition.type.ofType : definition.type);
    // The rows of a connection are counted where the page is asked for, so its own lists count once.
    const rows = page ?? (isList && !type.name.endsWith('Connection') ? listSize(type, definition) : 1);
    this.total += times * rows;
    this.selections(field.selectionSet, named, times * rows);
  }

  /** The fields by which the schema itself is asked for, which no list of fields names. */
  #meta(name: string, type: GraphQLCompositeType): GraphQLField<unknown, unknown> | undefined {
    return type === this.query.schema.getQueryType()
      ? [SchemaMetaFieldDef, TypeMetaFieldDef].find((meta) => meta.name === name)
      : undefined;
  }

  #page(field: FieldNode, byDefault: unknown): number | undefined {
    const value = field.arguments?.find(({ name }) => name.value === 'first')?.value;
    const variable = value?.kind === Kind.VARIABLE ? this.query.variables[value.name.value] : undefined;
    const first = value?.kind === Kind.INT ? Number(value.value) : (variable ?? byDefault);
    // A negative size is refused later; here it must not outweigh the others.
    return typeof first === 'number' ? Math.max(1, first) : undefined;
  }

  /** Entities come back one for each representation. */
  #given(field: FieldNode): number | undefined {
    const value = field.arguments?.find(({ name }) => name.value === 'representations')?.value;
    const given =
      value?.kind === Kind.VARIABLE ? this.query.variables[value.name.value] : value?.kind === Kind.LIST ? value.values : undefined;
    return Array.isArray(given) ? Math.max(1, given.length) : undefined;
  }
}

function listSize(type: GraphQLCompositeType, { name }: GraphQLField<unknown, unknown>): number {
  if (!type.name.startsWith('__')) return LIST_SIZE;
  return type.name === '__Schema' && name === 'types' ? TYPES : PARTS_OF_TYPE;
}

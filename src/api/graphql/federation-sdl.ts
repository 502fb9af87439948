import type { ConstDirectiveNode, DefinitionNode, GraphQLSchema, ObjectTypeDefinitionNode } from 'graphql';
import { Kind, parse, print, printSchema } from 'graphql';

/** What other graphs may refer to, and the field by which they do. */
export const ENTITY_KEYS = { Cluster: 'name', Incident: 'id', Problem: 'id' } as const;

/** The name of an entity's type. */
export type EntityName = keyof typeof ENTITY_KEYS;

/** Plain values that another graph may well have too, in the same form. */
const SHAREABLE: ReadonlySet<string> = new Set(['PageInfo', 'ObjectRef']);

/** What the router asks a subgraph by is no part of what the subgraph offers. */
const OF_PROTOCOL: ReadonlySet<string> = new Set(['_Any', '_Entity', '_Service', '_service', '_entities']);

/** Composition knows subscriptions from this version on. */
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@shareable"])';

/** The schema as Apollo Federation wants it from a subgraph: with the keys of its entities, and without the fields of the protocol. */
export function federationSdl(schema: GraphQLSchema): string {
  const { definitions } = parse(printSchema(schema));
  const told = definitions
    .filter((node) => !isOfProtocol(node))
    .map((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? tell(node) : node));
  return `${LINK}\n\n${print({ kind: Kind.DOCUMENT, definitions: told })}\n`;
}

function tell(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  const { value: name } = node.name;
  const fields = (node.fields ?? []).filter((field) => !isOfProtocol(field));
  if (Object.hasOwn(ENTITY_KEYS, name)) return { ...node, directives: directives(`@key(fields: "${ENTITY_KEYS[name as EntityName]}")`) };
  return SHAREABLE.has(name) ? { ...node, directives: directives('@shareable') } : { ...node, fields };
}

function isOfProtocol(node: DefinitionNode | { name: { value: string } }): boolean {
  return 'name' in node && node.name !== undefined && OF_PROTOCOL.has(node.name.value);
}

function directives(text: string): readonly ConstDirectiveNode[] {
  const [type] = parse(`type T ${text}`).definitions as [ObjectTypeDefinitionNode];
  return type.directives ?? [];
}

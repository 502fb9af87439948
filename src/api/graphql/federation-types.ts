import { createUnionType, Field, ObjectType } from '@nestjs/graphql';
import { GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { Cluster } from './cluster-types.js';
import type { EntityName } from './federation-sdl.js';
import { Incident } from './incident-types.js';
import { Problem } from './problem-types.js';

/** A representation of an entity as `_Any`. */
export const Any = new GraphQLScalarType<unknown, unknown>({
  name: '_Any',
  description: 'An entity as another graph refers to it: an object of __typename and the key of that type.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** An entity on its way out. */
export interface EntityToShow {
  __typename: EntityName;
}

export const Entity = createUnionType({
  name: '_Entity',
  description: 'What other graphs may refer to.',
  types: () => [Cluster, Incident, Problem] as const,
  resolveType: (value: unknown) => (value as EntityToShow).__typename,
});

@ObjectType('_Service', { description: 'This service as a subgraph of Apollo Federation.' })
export class FederatedService {
  @Field(() => String, { description: 'The schema with the directives of Federation, for composing a supergraph.' })
  sdl!: string;
}

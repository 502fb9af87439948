import { Args, Context, GraphQLSchemaHost, Query, Resolver } from '@nestjs/graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { RequestError } from '../../platform/refusal.js';
import { federationSdl } from './federation-sdl.js';
import { Any, Entity, FederatedService } from './federation-types.js';
import type { EntityToShow } from './federation-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { LIMITS } from './limits.js';
import { readRepresentation } from './read-representation.js';
import type { Representation } from './read-representation.js';
import { toIncident } from './to-incident-types.js';

/** Answers the router of a supergraph, in the protocol of Apollo Federation 2. */
@Resolver()
export class FederationResolver {
  #sdl: string | undefined;

  constructor(
    private readonly schemas: GraphQLSchemaHost,
    private readonly knowledge: KnowledgeService,
  ) {}

  @Query(() => FederatedService, { name: '_service', description: 'This service as a subgraph of Apollo Federation 2.' })
  service(): FederatedService {
    return { sdl: (this.#sdl ??= federationSdl(this.schemas.schema)) };
  }

  @Query(() => [Entity], {
    name: '_entities',
    nullable: 'items',
    description:
      'Entities by their keys, in the order of the representations; null for one that there is not, or that the caller may not see.',
  })
  entities(
    @Args('representations', {
      type: () => [Any],
      description: 'At most 1000, each of __typename and the key: Cluster by name, Incident and Problem by id.',
    })
    representations: unknown[],
    @Context() { load }: GraphqlContext,
  ): Promise<(EntityToShow | Error | undefined)[]> {
    if (representations.length > LIMITS.representations)
      throw new RequestError(
        'TOO_LARGE',
        `At most ${LIMITS.representations} representations may be asked for at once, not ${representations.length}.`,
      );
    return Promise.all(representations.map((each) => this.#find(each, load)));
  }

  /** One that is wrong is an error in its own place, and hides no other. */
  async #find(given: unknown, load: GraphqlContext['load']): Promise<EntityToShow | Error | undefined> {
    let wanted: Representation;
    try {
      wanted = readRepresentation(given);
    } catch (error) {
      return error as Error;
    }
    const found = await this.#load(wanted, load);
    return found && { ...found, __typename: wanted.type };
  }

  async #load({ type, key }: Representation, load: GraphqlContext['load']): Promise<object | undefined> {
    if (type === 'Problem') return this.knowledge.current().byId.get(key);
    if (type === 'Cluster') return load.clusterByName.load(key);
    const incident = await load.incident.load(key);
    return incident && toIncident(incident);
  }
}

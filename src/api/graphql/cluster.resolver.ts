import { Args, Context, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Cluster as KnownCluster } from '../../store/cluster.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { checkNewCluster } from '../check-new-cluster.js';
import { checkText } from '../page.js';
import { Cluster, RegisterClusterInput, RegisteredCluster } from './cluster-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';

/** Answers questions about clusters, and registers them. */
@Resolver(() => Cluster)
export class ClusterResolver {
  constructor(private readonly registry: ClusterRepository) {}

  @Query(() => Cluster, { nullable: true, description: 'One cluster by its name; null when there is none.' })
  async cluster(
    @Args('name', { type: () => String, description: 'Name of the cluster.' }) name: string,
    @Context() { scope }: GraphqlContext,
  ): Promise<KnownCluster | undefined> {
    return this.registry.findByName(checkText('name', name), scope);
  }

  @Query(() => [Cluster], { description: 'All clusters that the caller may see, by name.' })
  async clusters(@Context() { scope }: GraphqlContext): Promise<KnownCluster[]> {
    return this.registry.list(scope);
  }

  @Needs('admin', { within: ({ input }) => (input as RegisterClusterInput).name })
  @Mutation(() => RegisteredCluster, { description: 'Registers a cluster and gives it a token, with which it may send its events.' })
  async registerCluster(
    @Args('input', { type: () => RegisterClusterInput, description: 'The cluster.' }) input: RegisterClusterInput,
  ): Promise<{ cluster: KnownCluster; token: string }> {
    return this.registry.register(checkNewCluster(input));
  }

  @ResolveField(() => Int, { description: 'Number of its incidents that are not resolved, of those that the caller may see.' })
  async openIncidents(@Parent() { id }: KnownCluster, @Context() { load }: GraphqlContext): Promise<number> {
    return load.openIncidents.load(id);
  }
}

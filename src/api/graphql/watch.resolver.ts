import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { EVERYTHING } from '../../platform/scope.js';
import { RequestError } from '../../platform/refusal.js';
import type { Cluster as KnownCluster } from '../../store/cluster.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import type { StoredWatch } from '../../store/queries/find-watches.js';
import { WatchRepository } from '../../store/watch.repository.js';
import { checkPem } from '../check-pem.service.js';
import { checkWatchedCluster } from '../check-watched-cluster.js';
import { checkText } from '../page.js';
import { Cluster } from './cluster-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';
import { ClusterWatch, WatchClusterInput } from './watch-types.js';

/** Tells how clusters are watched, and has them watched by stored credentials. */
@Resolver(() => Cluster)
export class WatchResolver {
  /** The clusters of one request share a statement. */
  readonly #loaders = new WeakMap<GraphqlContext, DataLoader<number, StoredWatch | undefined>>();

  constructor(
    private readonly registry: ClusterRepository,
    private readonly watches: WatchRepository,
  ) {}

  @ResolveField(() => ClusterWatch, {
    nullable: true,
    description: 'How its events are read from its API server; null when it is not watched.',
  })
  async watch(@Parent() { id }: KnownCluster, @Context() context: GraphqlContext): Promise<ClusterWatch | null> {
    const found = await this.#loaderOf(context).load(id);
    return found ? toClusterWatch(found) : null;
  }

  @Needs('admin', { within: ({ input }) => (input as WatchClusterInput).cluster })
  @Mutation(() => Cluster, {
    description:
      'Has the service read the events of a cluster from its API server, with a credential that takes the place of any other. Whether it works is told by "watch" within seconds.',
  })
  async watchCluster(
    @Args('input', { type: () => WatchClusterInput, description: 'The cluster and the way to it.' }) input: WatchClusterInput,
  ): Promise<KnownCluster> {
    const cluster = await this.#named(input.cluster);
    const credential = checkWatchedCluster(input);
    checkPem(credential);
    await this.watches.put(cluster, credential);
    return cluster;
  }

  @Needs('admin', { within: ({ cluster }) => cluster })
  @Mutation(() => Cluster, {
    description: 'Ends the watch of a cluster and forgets its credential. What was read stays. Harmless for one that is not watched.',
  })
  async unwatchCluster(@Args('cluster', { type: () => String, description: 'Name of the cluster.' }) name: string): Promise<KnownCluster> {
    const cluster = await this.#named(name);
    await this.watches.drop(cluster);
    return cluster;
  }

  async #named(name: string): Promise<KnownCluster> {
    const cluster = await this.registry.findByName(checkText('cluster', name), EVERYTHING);
    if (!cluster) throw new RequestError('NOT_FOUND', `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered.`);
    return cluster;
  }

  #loaderOf(context: GraphqlContext): DataLoader<number, StoredWatch | undefined> {
    const known = this.#loaders.get(context);
    if (known) return known;
    const loader = new DataLoader<number, StoredWatch | undefined>(
      async (ids) => {
        const found = new Map((await this.watches.find(context.scope, ids)).map((watch) => [watch.clusterId, watch]));
        return ids.map((id) => found.get(id));
      },
      // A mutation asks again in the same request.
      { cache: false },
    );
    this.#loaders.set(context, loader);
    return loader;
  }
}

function toClusterWatch({ errorCode, error, errorAt, positionAge, ...watch }: StoredWatch): ClusterWatch {
  return {
    ...watch,
    lastError: error === null ? null : { code: errorCode ?? 'UNKNOWN', message: error, at: errorAt ?? watch.since },
    positionAgeSeconds: positionAge === null ? null : Math.max(0, Math.round(positionAge)),
  };
}

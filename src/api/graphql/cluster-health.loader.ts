import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { ClusterHealth, Gap } from '../../pipeline/cluster-health.service.js';
import { ClusterHealthService } from '../../pipeline/cluster-health.service.js';
import type { GraphqlContext } from './graphql-context.js';

interface Loaders {
  health: DataLoader<number, ClusterHealth | undefined>;
  gaps: Map<number, DataLoader<ClusterHealth, Gap[]>>;
}

/** Gathers the questions of one request about the health of clusters into one statement, however many rows ask. */
@Injectable()
export class ClusterHealthLoader {
  readonly #loaders = new WeakMap<GraphqlContext, Loaders>();

  constructor(private readonly service: ClusterHealthService) {}

  /** Health of a cluster by its id; undefined when the caller may not see it. */
  health(context: GraphqlContext, id: number): Promise<ClusterHealth | undefined> {
    return this.#of(context).health.load(id);
  }

  /** The latest gaps of a cluster. */
  gaps(context: GraphqlContext, health: ClusterHealth, limit: number): Promise<Gap[]> {
    const { gaps } = this.#of(context);
    const loader =
      gaps.get(limit) ??
      new DataLoader<ClusterHealth, Gap[]>(async (clusters) => {
        const found = await this.service.gaps(clusters, limit);
        return clusters.map(({ id }) => found.get(id) ?? []);
      });
    gaps.set(limit, loader);
    return loader.load(health);
  }

  #of(context: GraphqlContext): Loaders {
    const known = this.#loaders.get(context);
    if (known) return known;
    const health = new DataLoader<number, ClusterHealth | undefined>(
      async (ids) => {
        const found = new Map((await this.service.find(context.scope, { ids })).map((each) => [each.id, each]));
        return ids.map((id) => found.get(id));
      },
      // A mutation asks again in the same request.
      { cache: false },
    );
    const loaders: Loaders = { health, gaps: new Map() };
    this.#loaders.set(context, loaders);
    return loaders;
  }
}

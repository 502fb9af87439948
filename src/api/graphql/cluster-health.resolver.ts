import { Args, Context, Int, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { parseSilenceAfter, SILENCE_AFTER_FORM } from '../../config/parse-silence-after.js';
import type { ClusterHealth as JudgedHealth, Gap as KnownGap } from '../../pipeline/cluster-health.service.js';
import { EVERYTHING } from '../../platform/scope.js';
import { RequestError } from '../../platform/refusal.js';
import type { Cluster as KnownCluster } from '../../store/cluster.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { HealthRepository } from '../../store/health.repository.js';
import type { Locale } from '../choose-locale.js';
import { checkFirst, checkText } from '../page.js';
import { presentHealth } from '../present-health.js';
import { ClusterHealthLoader } from './cluster-health.loader.js';
import { Cluster } from './cluster-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { ClusterHealth, Gap } from './health-types.js';
import { LOCALE } from './knowledge-fields.js';
import { Needs } from './needs.js';

const MAX_GAPS = 100;
const GAPS = 10;

/** Health as the schema shows it, with what its own fields are looked up by. */
type HealthToShow = ClusterHealth & { judged: JudgedHealth };

/** Tells how clusters are doing, and sets when one counts as silent. */
@Resolver(() => Cluster)
export class ClusterHealthResolver {
  constructor(
    private readonly loader: ClusterHealthLoader,
    private readonly registry: ClusterRepository,
    private readonly health: HealthRepository,
  ) {}

  @ResolveField('health', () => ClusterHealth, { nullable: true, description: 'How it is doing, by what is heard of it.' })
  async healthOf(@Parent() { id }: KnownCluster, @Context() context: GraphqlContext): Promise<HealthToShow | undefined> {
    const judged = await this.loader.health(context, id);
    return judged && { ...presentHealth(judged, context.locale), judged };
  }

  @Needs('admin', { within: ({ cluster }) => cluster })
  @Mutation(() => Cluster, {
    description:
      'Sets after what pause a cluster counts as silent, which opens an incident. What is open stays so until it is heard, or ends at once with "off".',
  })
  async setClusterSilence(
    @Args('cluster', { type: () => String, description: 'Name of the cluster.' }) name: string,
    @Args('after', {
      type: () => String,
      nullable: true,
      description:
        'A duration from 1m to 30d such as 90s, 15m or 6h; "auto" by what is usual for it; "off" for never; null for as the service is set.',
    })
    after: string | null,
  ): Promise<KnownCluster> {
    const length = after === null || after === undefined ? null : parseSilenceAfter(after);
    if (length === undefined) throw new RequestError('BAD_INPUT', `after: expected ${SILENCE_AFTER_FORM}.`);
    const set = await this.health.setSilenceAfter(checkText('cluster', name), length);
    const cluster = set ? await this.registry.findByName(name, EVERYTHING) : undefined;
    if (!cluster) throw new RequestError('NOT_FOUND', `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered.`);
    return cluster;
  }
}

/** Answers what is asked of the health of a cluster besides. */
@Resolver(() => ClusterHealth)
export class ClusterGapsResolver {
  constructor(private readonly loader: ClusterHealthLoader) {}

  @ResolveField(() => String, { description: 'Why it stands there, in one sentence.' })
  reason(@Parent() { judged }: HealthToShow, @Args('locale', LOCALE) locale: Locale | null, @Context() context: GraphqlContext): string {
    return judged.reason[locale ?? context.locale];
  }

  @ResolveField(() => [Gap], {
    description: 'Times of ten minutes or more in the last seven days in which nothing was heard of it, the latest first.',
  })
  async gaps(
    @Parent() { judged }: HealthToShow,
    @Args('first', { type: () => Int, nullable: true, defaultValue: GAPS, description: 'Most rows to return, 1 to 100.' })
    first: number | null,
    @Context() context: GraphqlContext,
  ): Promise<KnownGap[]> {
    return this.loader.gaps(context, judged, checkFirst(first ?? GAPS, MAX_GAPS));
  }
}

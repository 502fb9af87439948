import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { Clock } from '../../platform/clock.js';
import type { AssumedEnd as FoundEnd } from '../assume-end.js';
import { assumeEnd, isAssumed } from '../assume-end.js';
import { ClusterHealthLoader } from './cluster-health.loader.js';
import type { GraphqlContext } from './graphql-context.js';
import { AssumedEnd } from './health-types.js';
import { Episode, Incident } from './incident-types.js';
import type { IncidentToShow } from './to-incident-types.js';

/** Episodes that tell how long a success usually takes. */
const EPISODES = 20;

/** Says where the end of an incident was not told of. */
@Resolver(() => Incident)
export class AssumedEndResolver {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly loader: ClusterHealthLoader,
    private readonly clock: Clock,
  ) {}

  @ResolveField(() => AssumedEnd, {
    nullable: true,
    description:
      'Set when its end can only be assumed, because events that tell of success can be missing; null when the end was told of, or none is due.',
  })
  async endAssumed(@Parent() incident: IncidentToShow, @Context() context: GraphqlContext): Promise<FoundEnd | null> {
    const problem = this.knowledge.current().byId.get(incident.problemId);
    const open = incident.status !== 'resolved';
    const [episodes, health] = await Promise.all([
      open ? context.load.episodes(incident.id, EPISODES) : [],
      open ? this.loader.health(context, incident.clusterId) : undefined,
    ]);
    return assumeEnd({ incident, problem, episodes, health }, this.clock.now());
  }
}

/** Says of an episode what its type does not hold. */
@Resolver(() => Episode)
export class AssumedEpisodeResolver {
  @ResolveField(() => Boolean, {
    description: 'Whether its end is only assumed: nothing told of it, the problem was just not seen any more. False while it lasts.',
  })
  assumed(@Parent() episode: Episode): boolean {
    return isAssumed(episode);
  }
}

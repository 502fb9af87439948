import { Args, Context, Int, Query, Resolver } from '@nestjs/graphql';
import type { Undiagnosed } from '../undiagnosed.service.js';
import { UndiagnosedService } from '../undiagnosed.service.js';
import type { GraphqlContext } from './graphql-context.js';
import { DateTime } from './scalars.js';
import { UndiagnosedPattern } from './undiagnosed-types.js';

const PAGE = 20;

/** Shows what nobody has a diagnosis for yet. */
@Resolver(() => UndiagnosedPattern)
export class UndiagnosedResolver {
  constructor(private readonly undiagnosed: UndiagnosedService) {}

  @Query(() => [UndiagnosedPattern], {
    name: 'undiagnosed',
    description:
      'What no problem of the knowledge base explains, the most frequent first: Warnings, failures of type Normal, and log lines that are not information. Kept as long as raw events are. What the knowledge of now explains is left out. At most the 2,000 most frequent patterns can be reached; narrow them down by clusters or search.',
  })
  async list(
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most patterns to return, 1 to 200.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor of the last pattern of the page before.' })
    after: string | null,
    @Args('clusters', { type: () => [String], nullable: true, description: 'Names of clusters, at most 500; all by default.' })
    clusters: string[] | null,
    @Args('from', { type: () => DateTime, nullable: true, description: 'Only events last seen on the day (UTC) of this moment or later.' })
    from: number | null,
    @Args('to', { type: () => DateTime, nullable: true, description: 'Only events last seen on the day (UTC) of this moment or before.' })
    to: number | null,
    @Args('search', {
      type: () => String,
      nullable: true,
      description: 'Text that the template, reason, reporter or kind contains, at most 200 characters; letter case does not matter.',
    })
    search: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<UndiagnosedPattern[]> {
    const found = await this.undiagnosed.list(scope, { first: first ?? PAGE, after, clusters, from, to, search });
    return found.map(show);
  }
}

function show({ firstAt, lastAt, clusters, ...pattern }: Undiagnosed): UndiagnosedPattern {
  return {
    ...pattern,
    firstSeenAt: firstAt,
    lastSeenAt: lastAt,
    clusters: clusters.map(({ firstAt: firstSeenAt, lastAt: lastSeenAt, ...rest }) => ({ ...rest, firstSeenAt, lastSeenAt })),
  };
}

import { Args, Context, Int, Query, Resolver } from '@nestjs/graphql';
import { RejectedRepository } from '../../store/rejected.repository.js';
import type { ShownRejected } from '../list-rejected.js';
import { listRejected } from '../list-rejected.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';
import { RejectedInput, RejectedInputConnection } from './rejected-types.js';

const PAGE = 20;

/** Shows what was refused, so that an operator can see why a sender's events do not arrive. */
@Resolver(() => RejectedInput)
export class RejectedResolver {
  constructor(private readonly repository: RejectedRepository) {}

  @Needs('admin')
  @Query(() => RejectedInputConnection, {
    description: 'Input that was refused in the last days, by default seven, the latest first; at most 1,000 rows of a cluster are kept.',
  })
  async rejected(
    @Args('cluster', {
      type: () => String,
      nullable: true,
      description: 'Name of the cluster; null for what was sent to names that no cluster has, for those who may see all clusters.',
    })
    cluster: string | null,
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<ShownRejected>> {
    const { page, count } = await listRejected(this.repository, scope, cluster ?? null, first ?? PAGE, after);
    return withTotal(page, count);
  }
}

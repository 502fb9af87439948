import { Args, Context, Query, Resolver, Subscription } from '@nestjs/graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { RequestError } from '../../platform/refusal.js';
import { decodeChangeCursor, encodeChangeCursor } from '../live/change-cursor.js';
import { ChangeFeed } from '../live/change-feed.service.js';
import type { LiveStream } from '../live/live-stream.js';
import type { GraphqlContext } from './graphql-context.js';
import { IncidentChange } from './incident-change-types.js';
import { IncidentFilter } from './incident-types.js';
import { toFilter } from './to-incident-types.js';

/** Tells of changes of incidents as they happen. */
@Resolver(() => IncidentChange)
export class IncidentChangeResolver {
  constructor(
    private readonly feed: ChangeFeed,
    private readonly knowledge: KnowledgeService,
  ) {}

  @Query(() => String, {
    description: 'Cursor of now: take it, read a list, and subscribe to the changes after it, and no change is missed or told twice.',
  })
  async incidentChangeCursor(): Promise<string> {
    return encodeChangeCursor(await this.feed.latestPosition());
  }

  /** Portions of changes; the server of subscriptions makes an answer of each change. */
  @Subscription(() => IncidentChange, {
    description: 'Changes of incidents in the order in which they were made, from now on or after a cursor.',
  })
  async incidentChanged(
    @Args('filter', {
      type: () => IncidentFilter,
      nullable: true,
      description: 'Of which incidents; all by default. Statuses and severities count before and after the change.',
    })
    filter: IncidentFilter | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to begin, at most as old as changes are kept.' })
    after: string | null,
    @Context() { scope, cut }: GraphqlContext,
  ): Promise<LiveStream> {
    if (typeof filter?.silenced === 'boolean')
      throw new RequestError('BAD_INPUT', 'silenced: expected no value, because what is silenced changes with time; ask each incident.');
    return this.feed.subscribe({
      filter: toFilter(filter ?? {}, this.knowledge.current()),
      scope,
      after: after === null || after === undefined ? undefined : decodeChangeCursor(after),
      onCut: cut,
    });
  }
}

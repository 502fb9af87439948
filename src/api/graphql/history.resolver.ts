import { Args, Context, ID, Info, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { Clock } from '../../platform/clock.js';
import type { HappeningFilter } from '../../store/queries/happening-filter.js';
import type { ResolveTimes } from '../../store/queries/find-resolve-times.js';
import type { BucketSize } from '../history/bucket-edges.js';
import type { History as Told, HistoryPart as ToldPart } from '../history/history.service.js';
import { HistoryService } from '../history/history.service.js';
import { historyRange } from '../history/history-range.js';
import { trendFilter } from '../history/trend-filter.js';
import { checkText } from '../page.js';
import { problemsOfCode } from '../search-problems.js';
import { Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { Bucket, HistoryState } from './history-enums.js';
import { ClusterHistory, ErrorCodeHistory, History, TimeToResolve } from './history-types.js';
import { ObjectRefInput } from './incident-types.js';
import { DateTime } from './scalars.js';
import { selectsField } from './selects-field.js';

export const CLUSTERS = { type: () => [String], nullable: true, description: 'Names of clusters; all by default.' } as const;
export const FROM = {
  type: () => DateTime,
  nullable: true,
  description: 'Start; widened to a whole bucket. Default: 48 hours, 30 days or 13 weeks before the end.',
} as const;
export const TO = { type: () => DateTime, nullable: true, description: 'End; widened to a whole bucket. Default: now.' } as const;
export const BUCKET = {
  type: () => Bucket,
  nullable: true,
  defaultValue: Bucket.DAY,
  description: 'Length of the buckets, at most 1000 of them.',
} as const;
export const TIME_ZONE = {
  type: () => String,
  nullable: true,
  defaultValue: 'UTC',
  description: 'Zone of the IANA time zone database whose clocks and calendar the buckets follow, such as Europe/Berlin.',
} as const;

type Ranged = Told & { from: number; to: number; bucket: BucketSize; timeZone: string };

/** Answers what happened over time. */
@Resolver(() => History)
export class HistoryResolver {
  constructor(
    private readonly histories: HistoryService,
    private readonly knowledge: KnowledgeService,
    private readonly clock: Clock,
  ) {}

  @Query(() => ErrorCodeHistory, {
    description: 'What happened over time with an error code. A code that nobody knows has an empty history.',
  })
  async errorCodeHistory(
    @Args('code', { type: () => String, description: 'Code such as E4011; letter case does not matter.' }) code: string,
    @Args('kind', { type: () => String, nullable: true, description: 'Kind of object that showed it.' }) kind: string | null,
    @Args('provider', { type: () => Provider, nullable: true, description: 'Whose code it is.' }) provider: ValueOf<typeof Provider> | null,
    @Args('clusters', CLUSTERS) clusters: string[] | null,
    @Args('from', FROM) from: number | null,
    @Args('to', TO) to: number | null,
    @Args('bucket', BUCKET) bucket: BucketSize | null,
    @Args('timeZone', TIME_ZONE) timeZone: string | null,
    @Context() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Ranged & { code: string; known: boolean; problemIds: string[] }> {
    const found = problemsOfCode(
      this.knowledge.current(),
      checkText('code', code),
      kind ? checkText('kind', kind) : undefined,
      provider ?? undefined,
    );
    const problems = found.map(({ id }) => id);
    const history = await this.#of({ ...this.#inClusters(clusters), problems }, { from, to, bucket, timeZone }, context, info);
    return { ...history, code: code.trim().toUpperCase(), known: problems.length > 0, problemIds: problems };
  }

  @Query(() => History, {
    description: 'What happened over time with a problem, also with one that the knowledge base does not hold any more.',
  })
  problemHistory(
    @Args('id', { type: () => ID, description: 'Id such as tke/ingress/E4011.' }) id: string,
    @Args('clusters', CLUSTERS) clusters: string[] | null,
    @Args('from', FROM) from: number | null,
    @Args('to', TO) to: number | null,
    @Args('bucket', BUCKET) bucket: BucketSize | null,
    @Args('timeZone', TIME_ZONE) timeZone: string | null,
    @Context() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Ranged> {
    return this.#of({ ...this.#inClusters(clusters), problems: [checkText('id', id)] }, { from, to, bucket, timeZone }, context, info);
  }

  @Query(() => History, { description: 'What happened over time in a namespace, which may exist in several clusters.' })
  namespaceHistory(
    @Args('namespace', { type: () => String, description: 'Its name.' }) namespace: string,
    @Args('clusters', CLUSTERS) clusters: string[] | null,
    @Args('from', FROM) from: number | null,
    @Args('to', TO) to: number | null,
    @Args('bucket', BUCKET) bucket: BucketSize | null,
    @Args('timeZone', TIME_ZONE) timeZone: string | null,
    @Context() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Ranged> {
    return this.#of(
      { ...this.#inClusters(clusters), namespaces: [checkText('namespace', namespace)] },
      { from, to, bucket, timeZone },
      context,
      info,
    );
  }

  @Query(() => History, {
    description:
      'What happened over time to a subject: the object, or the workload of a Pod, that incidents are about. Its occurrences reach back as far as raw events are kept, its episodes for ever.',
  })
  subjectHistory(
    @Args('subject', { type: () => ObjectRefInput, description: 'The subject.' }) subject: ObjectRefInput,
    @Args('clusters', CLUSTERS) clusters: string[] | null,
    @Args('from', FROM) from: number | null,
    @Args('to', TO) to: number | null,
    @Args('bucket', BUCKET) bucket: BucketSize | null,
    @Args('timeZone', TIME_ZONE) timeZone: string | null,
    @Context() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Ranged> {
    for (const [name, value] of Object.entries(subject)) checkText(`subject.${name}`, value as string);
    return this.#of({ ...this.#inClusters(clusters), subject: { ...subject } }, { from, to, bucket, timeZone }, context, info);
  }

  #inClusters(clusters: string[] | null): HappeningFilter {
    return trendFilter({ clusters }, this.knowledge.current());
  }

  async #of(
    filter: HappeningFilter,
    wanted: Parameters<typeof historyRange>[0],
    { scope, points }: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Ranged> {
    const range = historyRange(wanted, this.clock.now());
    const { from, to, bucket, timeZone } = range;
    return {
      ...(await this.histories.of({ filter, range, scope, byCluster: selectsField(info, 'clusters') }, points)),
      from,
      to,
      bucket,
      timeZone,
    };
  }
}

const TIME_TO_RESOLVE = {
  nullable: true,
  description: 'Time to resolve of the periods that ended in the range; null when none did.',
} as const;

/** Fields that are read only when they are asked for, of each type of history and of a history in one cluster. */
function fieldsOf(type: typeof History | typeof ErrorCodeHistory | typeof ClusterHistory) {
  @Resolver(() => type)
  class HistoryFields {
    @ResolveField(() => HistoryState, {
      description: 'Whether it is new, came back, goes on, or is not there, by the incidents that are kept and by the sums.',
    })
    async state(@Parent() part: ToldPart): Promise<string> {
      return (await part.seen()).state;
    }

    @ResolveField(() => DateTime, {
      nullable: true,
      description:
        'The first happening of the incidents that are kept, which by default are all there ever were; null when there are none.',
    })
    async firstSeenAt(@Parent() part: ToldPart): Promise<number | null> {
      return (await part.seen()).firstSeenAt;
    }

    @ResolveField(() => DateTime, {
      nullable: true,
      description: 'The latest happening of the incidents that are kept; null when there are none.',
    })
    async lastSeenAt(@Parent() part: ToldPart): Promise<number | null> {
      return (await part.seen()).lastSeenAt;
    }

    @ResolveField(() => Int, { description: 'Subjects on which it is open now.' })
    async openNow(@Parent() part: ToldPart): Promise<number> {
      return (await part.seen()).openNow;
    }

    @ResolveField(() => Int, { description: 'Subjects on which it was open at some time of the range.' })
    async affectedSubjects(@Parent() part: ToldPart): Promise<number> {
      return (await part.seen()).affectedSubjects;
    }

    @ResolveField(() => TimeToResolve, TIME_TO_RESOLVE)
    timeToResolve(@Parent() part: ToldPart): Promise<ResolveTimes | undefined> {
      return part.timeToResolve();
    }
  }
  return HistoryFields;
}

/** The clusters of each type of history. */
function clustersOf(type: typeof History | typeof ErrorCodeHistory) {
  @Resolver(() => type)
  class HistoryClusters {
    @ResolveField(() => [ClusterHistory], {
      description:
        'The same in each cluster in which it was ever seen, the most occurrences first: at most 1000, with at most 50,000 buckets together.',
    })
    clusters(@Parent() history: Told): Told['clusters'] {
      return history.clusters;
    }
  }
  return HistoryClusters;
}

/** Every resolver of histories. */
export const HISTORY_RESOLVERS = [
  HistoryResolver,
  fieldsOf(History),
  fieldsOf(ErrorCodeHistory),
  fieldsOf(ClusterHistory),
  clustersOf(History),
  clustersOf(ErrorCodeHistory),
];

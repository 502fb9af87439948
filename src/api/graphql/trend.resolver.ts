import { Args, Context, Info, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Problem as KnownProblem } from '../../knowledge/problem.js';
import type { Dimension } from '../../store/queries/cell-source.js';
import type { Mover, MoveMeasure } from '../../store/queries/find-movers.js';
import type { ResolveTimes } from '../../store/queries/find-resolve-times.js';
import type { BucketSize } from '../history/bucket-edges.js';
import { relativeChange } from '../history/sum-measures.js';
import type { CheckedTrend, TrendGroup as ToldGroup, TrendSeries } from '../history/trend.service.js';
import { TrendService } from '../history/trend.service.js';
import type { GraphqlContext } from './graphql-context.js';
import { TrendDimension, TrendMeasure } from './history-enums.js';
import { TimeToResolve } from './history-types.js';
import { BUCKET, FROM, TIME_ZONE, TO } from './history.resolver.js';
import { Problem } from './problem-types.js';
import { DateTime } from './scalars.js';
import { selectsField } from './selects-field.js';
import { Spread, Trend, TrendFilter, TrendGroup, TrendKey, TrendMover, TrendTotal } from './trend-types.js';

const FILTER = { type: () => TrendFilter, nullable: true, description: 'Which happenings; all by default.' } as const;
const MEASURE = {
  type: () => TrendMeasure,
  nullable: true,
  defaultValue: TrendMeasure.OCCURRENCES,
  description: 'What the change is measured by.',
} as const;
const TIME_TO_RESOLVE = {
  nullable: true,
  description: 'Time to resolve of the periods that ended in the range; null when none did.',
} as const;
const GROUPS = 20;
const MOVERS = { type: () => Int, nullable: true, defaultValue: 10, description: 'Most rows to return, 1 to 200.' } as const;

/** A trend on its way out, with what its fields ask for more. */
interface ToldTrend {
  asked: CheckedTrend;
  groups: ToldGroup[];
  total: TrendSeries;
}

/** Words of the domain that are enum values outside. */
const ENUMS: ReadonlySet<Dimension> = new Set<Dimension>(['clusterProvider', 'severity', 'provider', 'status']);

function keysOf(groupBy: readonly Dimension[], key: readonly string[]): TrendKey[] {
  return groupBy.map((dimension, i) => ({ dimension, value: ENUMS.has(dimension) ? enumWord(key[i]!) : key[i] || null }));
}

function enumWord(value: string): string | null {
  return value === '' ? null : value.toUpperCase().replaceAll('-', '_');
}

/** Answers which problems grow, where, and how they spread. */
@Resolver(() => Trend)
export class TrendResolver {
  constructor(private readonly trends: TrendService) {}

  @Query(() => Trend, { description: 'What happened over time, summed up by groups and buckets.' })
  async trend(
    @Args('filter', FILTER) filter: TrendFilter | null,
    @Args('groupBy', {
      type: () => [TrendDimension],
      nullable: true,
      description: 'What to tell apart, at most four dimensions; nothing by default.',
    })
    groupBy: Dimension[] | null,
    @Args('bucket', BUCKET) bucket: BucketSize | null,
    @Args('from', FROM) from: number | null,
    @Args('to', TO) to: number | null,
    @Args('timeZone', TIME_ZONE) timeZone: string | null,
    @Args('first', {
      type: () => Int,
      nullable: true,
      defaultValue: GROUPS,
      description: 'Most groups to return, 1 to 200, those with the most occurrences; with at most 50,000 points in all.',
    })
    first: number | null,
    @Context() { scope, points }: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ToldTrend & Omit<Trend, 'groups' | 'total'>> {
    const asked = this.trends.check({ filter, groupBy, bucket, from, to, timeZone }, scope);
    const { range } = asked;
    return {
      asked,
      ...(await this.trends.groups(asked, first ?? GROUPS, selectsField(info, 'groups'), points)),
      from: range.from,
      to: range.to,
      bucket: range.bucket,
      timeZone: range.timeZone,
      groupBy: asked.groupBy,
    };
  }

  @Query(() => [Spread], {
    description:
      'Problems that came to several clusters within a window of time, those in the most clusters first: for each problem the widest window of the range, the latest of equals. A problem comes to a cluster when an incident of it begins there after at least the length of the window without any.',
  })
  async spreading(
    @Args('filter', FILTER) filter: TrendFilter | null,
    @Args('withinHours', { type: () => Int, nullable: true, defaultValue: 24, description: 'Length of the window in hours, 1 to 720.' })
    withinHours: number | null,
    @Args('minClusters', { type: () => Int, nullable: true, defaultValue: 2, description: 'Fewest clusters, 2 to 1000.' })
    minClusters: number | null,
    @Args('from', { type: () => DateTime, nullable: true, description: 'Start, at most 92 days before the end; 7 days by default.' })
    from: number | null,
    @Args('to', { type: () => DateTime, nullable: true, description: 'End; now by default.' }) to: number | null,
    @Args('first', { type: () => Int, nullable: true, defaultValue: GROUPS, description: 'Most rows to return, 1 to 200.' })
    first: number | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Spread[]> {
    const wanted = { filter, from, to, withinHours: withinHours ?? 24, minClusters: minClusters ?? 2, first: first ?? GROUPS };
    return (await this.trends.spreading(wanted, scope)).map(({ problemId, arrivals }) => ({
      problemId,
      since: arrivals[0]!.at,
      until: arrivals.at(-1)!.at,
      clusters: arrivals.map(({ cluster, at }) => ({ cluster, arrivedAt: at })),
    }));
  }

  @ResolveField(() => [TrendGroup], { description: 'The groups, the most occurrences first; one group of everything without groupBy.' })
  groups(@Parent() { asked, groups }: ToldTrend): (Omit<ToldGroup, 'key'> & { key: TrendKey[] })[] {
    return groups.map((group) => ({ ...group, key: keysOf(asked.groupBy, group.key) }));
  }

  @ResolveField(() => TrendTotal, { description: 'All groups together, also those that are not listed.' })
  total(@Parent() { total }: ToldTrend): TrendSeries {
    return total;
  }

  @ResolveField(() => [TrendMover], {
    description: 'The groups that rose most against the period before, the strongest first; by default 10.',
  })
  rising(
    @Parent() { asked }: ToldTrend,
    @Args('by', MEASURE) by: MoveMeasure | null,
    @Args('first', MOVERS) first: number | null,
  ): Promise<TrendMover[]> {
    return this.#movers(asked, by, true, first);
  }

  @ResolveField(() => [TrendMover], {
    description: 'The groups that fell most against the period before, the strongest first; by default 10.',
  })
  falling(
    @Parent() { asked }: ToldTrend,
    @Args('by', MEASURE) by: MoveMeasure | null,
    @Args('first', MOVERS) first: number | null,
  ): Promise<TrendMover[]> {
    return this.#movers(asked, by, false, first);
  }

  async #movers(asked: CheckedTrend, by: MoveMeasure | null, rising: boolean, first: number | null): Promise<TrendMover[]> {
    const found = await this.trends.movers(asked, by ?? 'occurrences', rising, first ?? 10);
    return found.map((mover: Mover) => ({
      ...mover,
      key: keysOf(asked.groupBy, mover.key),
      change: relativeChange(mover.now, mover.before),
    }));
  }
}

/** Fields of the sums of a trend that cost a statement of their own. */
function fieldsOf(type: typeof TrendGroup | typeof TrendTotal) {
  @Resolver(() => type)
  class TrendFields {
    @ResolveField(() => TimeToResolve, TIME_TO_RESOLVE)
    timeToResolve(@Parent() series: TrendSeries): Promise<ResolveTimes | undefined> {
      return series.timeToResolve();
    }
  }
  return TrendFields;
}

/** The problem that spreads. */
@Resolver(() => Spread)
export class SpreadResolver {
  constructor(private readonly knowledge: KnowledgeService) {}

  @ResolveField(() => Problem, { nullable: true, description: 'The problem; null when the knowledge base does not hold it any more.' })
  problem(@Parent() { problemId }: Spread): KnownProblem | undefined {
    return this.knowledge.current().byId.get(problemId);
  }
}

/** Every resolver of trends. */
export const TREND_RESOLVERS = [TrendResolver, fieldsOf(TrendGroup), fieldsOf(TrendTotal), SpreadResolver];

import { Injectable } from '@nestjs/common';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { Clock } from '../../platform/clock.js';
import { RequestError } from '../../platform/refusal.js';
import type { Scope } from '../../platform/scope.js';
import type { Dimension } from '../../store/queries/cell-source.js';
import type { Mover, MoveMeasure } from '../../store/queries/find-movers.js';
import type { ResolveTimes } from '../../store/queries/find-resolve-times.js';
import type { Series } from '../../store/queries/find-series.js';
import type { ProblemFacts } from '../../store/queries/group-key.js';
import type { HappeningFilter } from '../../store/queries/happening-filter.js';
import { TrendRepository } from '../../store/trend.repository.js';
import { checkFirst } from '../page.js';
import type { HistoryBucket } from './history-buckets.js';
import { historyBuckets } from './history-buckets.js';
import { once } from './history.service.js';
import type { HistoryRange, WantedRange } from './history-range.js';
import { historyRange } from './history-range.js';
import type { PointBudget } from './point-budget.js';
import { MOST_POINTS } from './point-budget.js';
import type { Spread } from './spread-of.js';
import { spreadsOf } from './spread-of.js';
import type { Totals } from './sum-measures.js';
import { relativeChange, sumMeasures } from './sum-measures.js';
import type { WantedTrendFilter } from './trend-filter.js';
import { factsOf, trendFilter } from './trend-filter.js';

/** What a trend is asked for. */
export interface WantedTrend extends WantedRange {
  filter?: WantedTrendFilter | null | undefined;
  groupBy?: readonly Dimension[] | null | undefined;
}

/** A trend that has been checked. */
export interface CheckedTrend {
  filter: HappeningFilter;
  groupBy: Dimension[];
  range: HistoryRange;
  facts: ProblemFacts[];
  scope: Scope;
}

/** What happened in one group, or in all. */
export interface TrendSeries extends Totals {
  previous: Totals & { from: number; to: number };
  change: number | null;
  openAtEnd: number;
  points: HistoryBucket[];
  timeToResolve: () => Promise<ResolveTimes | undefined>;
}

/** One group of a trend; the key has one text for each dimension, empty when unknown. */
export interface TrendGroup extends TrendSeries {
  key: string[];
}

/** What is asked about spreading. */
export interface WantedSpread extends Pick<WantedRange, 'from' | 'to'> {
  filter?: WantedTrendFilter | null | undefined;
  withinHours: number;
  minClusters: number;
  first: number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MOST_DIMENSIONS = 4;
const MOST_SPREAD_DAYS = 92;
const MOST_ARRIVALS = 20_000;

/** Answers questions about trends from the roll-ups, and about spreading from the episodes. */
@Injectable()
export class TrendService {
  constructor(
    private readonly trends: TrendRepository,
    private readonly knowledge: KnowledgeService,
    private readonly clock: Clock,
  ) {}

  /** Checks what is asked. Throws RequestError BAD_INPUT. */
  check({ filter, groupBy, ...range }: WantedTrend, scope: Scope): CheckedTrend {
    const dimensions = [...new Set(groupBy ?? [])];
    if (dimensions.length > MOST_DIMENSIONS)
      throw new RequestError('BAD_INPUT', `groupBy holds ${dimensions.length} dimensions; at most ${MOST_DIMENSIONS} are allowed.`);
    const knowledge = this.knowledge.current();
    return {
      filter: trendFilter(filter ?? {}, knowledge),
      groupBy: dimensions,
      range: historyRange(range, this.clock.now()),
      facts: factsOf(knowledge),
      scope,
    };
  }

  /** The `first` groups with the most occurrences, none unless they are `listed`, and all of them together. */
  async groups(
    { filter, groupBy, range, facts, scope }: CheckedTrend,
    first: number,
    listed: boolean,
    budget: PointBudget,
  ): Promise<{ groups: TrendGroup[]; total: TrendSeries }> {
    const { edges, previousFrom, from, to } = range;
    const points = checkFirst(first) * (edges.length - 1);
    if (points > MOST_POINTS)
      throw new RequestError(
        'BAD_INPUT',
        `${first} groups of ${edges.length - 1} buckets are ${points} points; at most ${MOST_POINTS} are allowed. Ask for fewer groups, a shorter range or a longer bucket.`,
      );
    const query = { filter, scope, dimensions: groupBy, facts };
    const found = await budget.inTurn(async () => {
      const series = await this.trends.series({
        ...query,
        edges: [previousFrom, ...edges],
        open: true,
        first: listed ? first : 0,
        rankFrom: 1,
      });
      budget.take(series.groups.length * (edges.length - 1));
      return series;
    });
    const times = once(
      async () => new Map((await this.trends.resolveTimes({ ...query, from, to })).map((time) => [JSON.stringify(time.key), time])),
    );
    return {
      groups: found.groups.map((series) => ({
        key: series.key,
        ...seriesOf(series, range, async () => (await times()).get(JSON.stringify(series.key))),
      })),
      total: seriesOf(found.total, range, async () => (await times()).get('null')),
    };
  }

  /** The groups that rose or fell most against the period before. */
  movers({ filter, groupBy, range, facts, scope }: CheckedTrend, measure: MoveMeasure, rising: boolean, first: number): Promise<Mover[]> {
    if (groupBy.includes('status') && measure === 'occurrences')
      throw new RequestError('BAD_INPUT', 'Occurrences are not kept by status: measure by OPENED, or leave STATUS out of groupBy.');
    const { previousFrom, from, to } = range;
    return this.trends.movers({
      filter,
      scope,
      dimensions: groupBy,
      facts,
      edges: [previousFrom, from, to],
      measure,
      rising,
      first: checkFirst(first),
    });
  }

  /** Problems that came to several clusters within a window. */
  async spreading({ filter, withinHours, minClusters, first, from, to }: WantedSpread, scope: Scope): Promise<Spread[]> {
    checkNumber('withinHours', withinHours, 1, 720);
    checkNumber('minClusters', minClusters, 2, 1000);
    const most = checkFirst(first);
    const end = to ?? this.clock.now();
    const start = from ?? end - 7 * DAY;
    if (!(start < end)) throw new RequestError('BAD_INPUT', 'from has to be before to.');
    if (end - start > MOST_SPREAD_DAYS * DAY)
      throw new RequestError('BAD_INPUT', `The range has more than ${MOST_SPREAD_DAYS} days; ask for a shorter one.`);
    const window = withinHours * HOUR;
    const wanted = trendFilter(filter ?? {}, this.knowledge.current());
    const arrivals = await this.trends.arrivals({ filter: wanted, scope, from: start, to: end, away: window, limit: MOST_ARRIVALS });
    return spreadsOf(arrivals, window, minClusters).slice(0, most);
  }
}

function seriesOf(series: Series, range: HistoryRange, timeToResolve: TrendSeries['timeToResolve']): TrendSeries {
  const now = sumMeasures(series.buckets.slice(1));
  const before = sumMeasures(series.buckets.slice(0, 1));
  return {
    ...now,
    previous: { from: range.previousFrom, to: range.from, ...before },
    change: relativeChange(now.occurrences, before.occurrences),
    openAtEnd: series.open.at(-1) ?? 0,
    points: historyBuckets(series, range),
    timeToResolve,
  };
}

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RequestError('BAD_INPUT', `${name} has to be from ${least} to ${most}, got ${value}.`);
}

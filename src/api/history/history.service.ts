import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/scope.js';
import type { ResolveTimes } from '../../store/queries/find-resolve-times.js';
import type { Seen } from '../../store/queries/find-seen.js';
import type { Series } from '../../store/queries/find-series.js';
import type { HappeningFilter } from '../../store/queries/happening-filter.js';
import { TrendRepository } from '../../store/trend.repository.js';
import type { HistoryBucket } from './history-buckets.js';
import { historyBuckets } from './history-buckets.js';
import type { HistoryRange } from './history-range.js';
import type { HistoryState } from './history-state.js';
import { historyState } from './history-state.js';
import type { PointBudget } from './point-budget.js';
import { MOST_POINTS } from './point-budget.js';
import type { Totals } from './sum-measures.js';
import { relativeChange, sumMeasures } from './sum-measures.js';

/** What one history tells, of everything or of one cluster. */
export interface HistoryPart extends Totals {
  previous: Totals & { from: number; to: number };
  change: number | null;
  buckets: HistoryBucket[];
  /** Read only when it is asked for, as what follows. */
  seen: () => Promise<SeenPart>;
  timeToResolve: () => Promise<ResolveTimes | undefined>;
}

/** What a history tells that its sums do not. Times are milliseconds since the epoch, of the incidents that are kept. */
export interface SeenPart {
  state: HistoryState;
  firstSeenAt: number | null;
  lastSeenAt: number | null;
  openNow: number;
  affectedSubjects: number;
}

/** What a history is asked for. */
export interface WantedHistory {
  filter: HappeningFilter;
  range: HistoryRange;
  scope: Scope;
  /** Whether each cluster is to be told of as well. */
  byCluster: boolean;
}

/** The history of whatever a filter lets through. */
export interface History extends HistoryPart {
  range: HistoryRange;
  /** Empty unless they were asked for. */
  clusters: (HistoryPart & { cluster: string })[];
}

/** Most clusters of one history, those with the most occurrences. */
const MOST_CLUSTERS = 1000;

/** Puts histories together from the roll-ups and the incidents. */
@Injectable()
export class HistoryService {
  constructor(private readonly trends: TrendRepository) {}

  /** The history of a filter, in four statements at most, whatever has happened. */
  of(wanted: WantedHistory, points: PointBudget): Promise<History> {
    return points.inTurn(() => this.#read(wanted, points));
  }

  async #read({ filter, range, scope, byCluster }: WantedHistory, points: PointBudget): Promise<History> {
    const { previousFrom, edges, from, to } = range;
    const first = byCluster ? Math.min(MOST_CLUSTERS, Math.floor(MOST_POINTS / (edges.length - 1))) : 0;
    const [{ groups, total }, everSeen] = await Promise.all([
      this.trends.series({
        filter,
        scope,
        edges: [previousFrom, ...edges],
        dimensions: byCluster ? ['cluster'] : [],
        facts: [],
        open: true,
        first,
        rankFrom: 1,
      }),
      byCluster ? this.trends.clustersSeen({ filter, scope }) : [],
    ]);
    const times = once(() => this.trends.resolveTimes({ filter, scope, from, to, dimensions: ['cluster'], facts: [] }));
    const seen = once(async () => {
      const found = await this.trends.seen({ filter, scope, from, to });
      return { byCluster: new Map(found.map((each) => [each.cluster, each])), all: overAll(found) };
    });
    const part = (series: Series, key: string | null): HistoryPart =>
      partOf(
        series,
        range,
        async () => (key === null ? (await seen()).all : (await seen()).byCluster.get(key)),
        async () => (await times()).find((time) => (time.key?.[0] ?? null) === key),
      );
    const seriesOf = new Map(groups.map((series) => [series.key[0]!, series]));
    const nothing: Series = { key: [], open: edges.map(() => 0), buckets: edges.map(() => NOTHING) };
    // A cluster in which it was only seen before the period before has no sums, but a first and a last time.
    const names = [...groups.map(({ key }) => key[0]!), ...everSeen.filter((name) => !seriesOf.has(name))];
    const shown = names.slice(0, first);
    points.take(shown.length * (edges.length - 1));
    return {
      range,
      ...part(total, null),
      clusters: shown.map((name) => ({ cluster: name, ...part(seriesOf.get(name) ?? nothing, name) })),
    };
  }
}

const NOTHING = { occurrences: 0, opened: 0, reopened: 0, resolved: 0, resolveMs: 0 };

function partOf(
  series: Series,
  range: HistoryRange,
  seen: () => Promise<Seen | undefined>,
  timeToResolve: HistoryPart['timeToResolve'],
): HistoryPart {
  const { buckets, open } = series;
  const before = sumMeasures(buckets.slice(0, 1));
  const now = sumMeasures(buckets.slice(1));
  return {
    ...now,
    previous: { from: range.previousFrom, to: range.from, ...before },
    change: relativeChange(now.occurrences, before.occurrences),
    buckets: historyBuckets(series, range),
    seen: once(async () => seenPart(range, await seen(), happened(now), happened(before) || (open[0] ?? 0) > 0)),
    timeToResolve,
  };
}

function seenPart({ from, to }: HistoryRange, seen: Seen | undefined, happenedInRange: boolean, inPrevious: boolean): SeenPart {
  const { subjects: affectedSubjects = 0, firstSeenAt = null, lastSeenAt = null, openNow = 0 } = seen ?? {};
  const inRange = happenedInRange || affectedSubjects > 0;
  return { state: historyState({ from, to, firstSeenAt, inRange, inPrevious }), firstSeenAt, lastSeenAt, openNow, affectedSubjects };
}

/** What ended in a period was open in it. */
function happened({ occurrences, episodes, resolved }: Totals): boolean {
  return (occurrences ?? 0) > 0 || episodes > 0 || resolved > 0;
}

function overAll(seen: readonly Seen[]): Seen | undefined {
  return seen.reduce<Seen | undefined>(
    (all, each) =>
      all
        ? {
            cluster: '',
            firstSeenAt: Math.min(all.firstSeenAt, each.firstSeenAt),
            lastSeenAt: Math.max(all.lastSeenAt, each.lastSeenAt),
            subjects: all.subjects + each.subjects,
            openNow: all.openNow + each.openNow,
          }
        : each,
    undefined,
  );
}

/** Asks at most once, however many fields want the answer. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

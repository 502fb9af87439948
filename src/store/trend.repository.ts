import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { Arrival, ArrivalQuery } from './queries/find-arrivals.js';
import { findArrivals } from './queries/find-arrivals.js';
import type { Mover, MoverQuery } from './queries/find-movers.js';
import { findMovers } from './queries/find-movers.js';
import type { ResolveTimes, ResolveTimesQuery } from './queries/find-resolve-times.js';
import { findResolveTimes } from './queries/find-resolve-times.js';
import type { Seen, SeenQuery } from './queries/find-seen.js';
import { findSeen } from './queries/find-seen.js';
import type { SeriesAnswer, SeriesQuery } from './queries/find-series.js';
import { findSeries } from './queries/find-series.js';
import type { TrendRow, TrendRowsQuery } from './queries/find-trend-rows.js';
import { findTrendRows } from './queries/find-trend-rows.js';

/** Reads what happened over time: sums from the roll-ups, times from the episodes. Every call is one statement. */
@Injectable()
export class TrendRepository {
  constructor(private readonly database: Database) {}

  /** Sums by group and bucket. */
  series(query: SeriesQuery): Promise<SeriesAnswer> {
    return findSeries(this.database, query);
  }

  /** Every group and bucket in which something happened. */
  rows(query: TrendRowsQuery): Promise<TrendRow[]> {
    return findTrendRows(this.database, query);
  }

  /** The groups that changed most. */
  movers(query: MoverQuery): Promise<Mover[]> {
    return findMovers(this.database, query);
  }

  /** Times to resolve by group, and of everything together. */
  resolveTimes(query: ResolveTimesQuery): Promise<ResolveTimes[]> {
    return findResolveTimes(this.database, query);
  }

  /** When it was seen, by cluster. */
  seen(query: SeenQuery): Promise<Seen[]> {
    return findSeen(this.database, query);
  }

  /** Problems coming to clusters. */
  arrivals(query: ArrivalQuery): Promise<Arrival[]> {
    return findArrivals(this.database, query);
  }
}

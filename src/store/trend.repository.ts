import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { Arrival, ArrivalQuery } from './queries/find-arrivals.js';
import { findArrivals } from './queries/find-arrivals.js';
import type { Mover, MoverQuery } from './queries/find-movers.js';
import { findMovers } from './queries/find-movers.js';
import type { ResolveTimes, ResolveTimesQuery } from './queries/find-resolve-times.js';
import { findResolveTimes } from './queries/find-resolve-times.js';
import type { Seen, SeenQuery } from './queries/find-seen.js';
import { findClustersSeen, findSeen } from './queries/find-seen.js';
import type { CellQuery } from './queries/cell-source.js';
import { CellsDroppedError, neededCells } from './queries/needed-cells.js';
import type { SeriesAnswer, SeriesQuery } from './queries/find-series.js';
import { findSeries } from './queries/find-series.js';
import type { TrendRow, TrendRowsQuery } from './queries/find-trend-rows.js';
import { findTrendRows } from './queries/find-trend-rows.js';
import { ms } from './rows.js';

/**
 * Reads what happened over time: sums from the roll-ups, times from the episodes. Every call is one statement, and one more where it needs
 * sums that are not kept for ever: such calls throw CellsDroppedError.
 */
@Injectable()
export class TrendRepository {
  constructor(private readonly database: Database) {}

  /** Sums by group and bucket. */
  series(query: SeriesQuery): Promise<SeriesAnswer> {
    return this.#complete(query, findSeries(this.database.reads, query));
  }

  /** The groups and buckets in which something happened, from one on: for exports, which take the time that they need. */
  rows(query: TrendRowsQuery): Promise<TrendRow[]> {
    return this.#complete(query, findTrendRows(this.database.reads.patient, query));
  }

  /** The groups that changed most. */
  movers(query: MoverQuery): Promise<Mover[]> {
    return this.#complete(query, findMovers(this.database.reads, query));
  }

  /** Times to resolve by group, and of everything together. */
  resolveTimes(query: ResolveTimesQuery): Promise<ResolveTimes[]> {
    return findResolveTimes(this.database.reads, query);
  }

  /** When it was seen, by cluster. */
  seen(query: SeenQuery): Promise<Seen[]> {
    return findSeen(this.database.reads, query);
  }

  /** In which clusters it was ever seen, by name. */
  clustersSeen(query: Pick<SeenQuery, 'filter' | 'scope'>): Promise<string[]> {
    return findClustersSeen(this.database.reads, query);
  }

  /** Problems coming to clusters. */
  arrivals(query: ArrivalQuery): Promise<Arrival[]> {
    return findArrivals(this.database.reads, query);
  }

  /** Asked after the cells were read: whatever was deleted by then is noted. */
  async #complete<T>(query: Pick<CellQuery, 'filter' | 'dimensions' | 'edges'>, answer: Promise<T>): Promise<T> {
    const read = await answer;
    const needed = neededCells(query);
    if (needed.length === 0) return read;
    const kept = await this.database.reads.rows<{ minutes: number; from: number }>(
      `SELECT k.minutes, ${ms('k.kept_from')} AS "from" FROM rollup_kept k`,
    );
    for (const cells of needed) {
      const from = kept.find(({ minutes }) => minutes === cells.minutes)?.from ?? -Infinity;
      if (cells.from < from) throw new CellsDroppedError(cells, from);
    }
    return read;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import type { TrendRow } from '../../store/queries/find-trend-rows.js';
import { TrendRepository } from '../../store/trend.repository.js';
import { csvLine } from './csv-line.js';
import { localTime } from './local-time.js';
import { timeZoneOf } from './time-zone.js';
import type { CheckedTrend } from './trend.service.js';

/** Buckets that are read at a time: what is in memory, whatever the range. */
const PORTION = 8;

/** Writes trends as CSV, portion by portion: no statement runs while a slow reader takes its time. */
@Injectable()
export class TrendCsv {
  constructor(
    private readonly trends: TrendRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The lines of a trend. The first portion is read before anything is returned, so that what is wrong shows at once. */
  async lines(trend: CheckedTrend): Promise<AsyncGenerator<string>> {
    const first = await this.#read(trend, 0);
    return this.#write(trend, first);
  }

  async *#write(trend: CheckedTrend, first: TrendRow[]): AsyncGenerator<string> {
    const { range, groupBy } = trend;
    const zone = timeZoneOf(range.timeZone);
    yield csvLine(['from', 'to', ...groupBy, 'occurrences', 'opened', 'reopened', 'resolved', 'meanSecondsToResolve']);
    let rows = first;
    for (let start = 0; start < range.edges.length - 1; start += PORTION) {
      if (start > 0) rows = await this.#read(trend, start);
      let lines = '';
      for (const { bucket, key, occurrences, opened, reopened, resolved, resolveMs } of rows) {
        const [from, to] = [range.edges[start + bucket]!, range.edges[start + bucket + 1]!].map((at) => localTime(zone, at));
        const mean = resolved === 0 ? null : resolveMs / resolved / 1000;
        lines += csvLine([from!, to!, ...key, occurrences, opened, reopened, resolved, mean]);
        if (lines.length < 32_768) continue;
        yield lines;
        lines = '';
      }
      if (lines !== '') yield lines;
    }
  }

  async #read({ filter, scope, groupBy, facts, range }: CheckedTrend, start: number): Promise<TrendRow[]> {
    try {
      const edges = range.edges.slice(start, start + PORTION + 1);
      return await this.trends.rows({ filter, scope, dimensions: groupBy, facts, edges });
    } catch (error) {
      // The answer has begun: the reader only sees it break off.
      if (start > 0) this.logger.error({ err: error }, 'trends.csv could not be read to its end');
      throw error;
    }
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import type { TrendRow } from '../../store/queries/find-trend-rows.js';
import { TrendRepository } from '../../store/trend.repository.js';
import { csvLine } from './csv-line.js';
import { localTime } from './local-time.js';
import { timeZoneOf } from './time-zone.js';
import type { CheckedTrend } from './trend.service.js';

/** Most buckets that are summed up at a time. */
const PORTION = 8;
/** Most rows that are read at a time: what is in memory, however many groups there are. */
const MOST_ROWS = 20_000;

/** Where a portion begins. */
interface Place {
  /** Number of the first bucket. */
  start: number;
  /** How many buckets it has at most. */
  count: number;
  /** Key of the last group of the first bucket that was read before, if any was. */
  after?: string[] | undefined;
}

/** Writes trends as CSV, portion by portion: no statement runs while a slow reader takes its time. */
@Injectable()
export class TrendCsv {
  constructor(
    private readonly trends: TrendRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The lines of a trend. The first portion is read before anything is returned, so that what is wrong shows at once. */
  async lines(trend: CheckedTrend, limit = MOST_ROWS): Promise<AsyncGenerator<string>> {
    const place = { start: 0, count: PORTION };
    return this.#write(trend, limit, place, await this.#read(trend, limit, place));
  }

  async *#write(trend: CheckedTrend, limit: number, first: Place, firstRows: TrendRow[]): AsyncGenerator<string> {
    const { range, groupBy } = trend;
    const zone = timeZoneOf(range.timeZone);
    yield csvLine(['from', 'to', ...groupBy, 'occurrences', 'opened', 'reopened', 'resolved', 'meanSecondsToResolve']);
    let [place, rows] = [first, firstRows];
    for (;;) {
      let lines = '';
      for (const { bucket, key, occurrences, opened, reopened, resolved, resolveMs } of rows) {
        const number = place.start + bucket;
        const [from, to] = [range.edges[number]!, range.edges[number + 1]!].map((at) => localTime(zone, at));
        const mean = resolved === 0 ? null : resolveMs / resolved / 1000;
        lines += csvLine([from!, to!, ...key, occurrences, opened, reopened, resolved, mean]);
        if (lines.length < 32_768) continue;
        yield lines;
        lines = '';
      }
      if (lines !== '') yield lines;
      place = placeAfter(place, rows, limit);
      if (place.start >= range.edges.length - 1) return;
      rows = await this.#read(trend, limit, place);
    }
  }

  async #read({ filter, scope, groupBy, facts, range }: CheckedTrend, limit: number, place: Place): Promise<TrendRow[]> {
    const { start, count, after } = place;
    try {
      const edges = range.edges.slice(start, start + count + 1);
      return await this.trends.rows({ filter, scope, dimensions: groupBy, facts, edges, limit, after });
    } catch (error) {
      // The answer has begun: the reader only sees it break off.
      if (start > 0 || after) this.logger.error({ err: error }, 'trends.csv could not be read to its end');
      throw error;
    }
  }
}

/** Where to go on. What was cut off is summed up anew, of fewer buckets, so that little of it is for nothing. */
function placeAfter({ start, count }: Place, rows: readonly TrendRow[], limit: number): Place {
  const last = rows.length < limit ? undefined : rows.at(-1);
  if (!last) return { start: start + count, count: Math.min(PORTION, count * 2) };
  return { start: start + last.bucket, count: Math.max(1, Math.floor(count / 2)), after: last.key };
}

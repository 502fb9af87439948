import { RequestError } from '../../platform/refusal.js';
import type { BucketSize } from './bucket-edges.js';
import { bucketEdges, edgeBefore, USUAL_LENGTH } from './bucket-edges.js';
import type { TimeZone } from './time-zone.js';
import { timeZoneOf } from './time-zone.js';

/** A range as it was asked for. Times are milliseconds since the epoch. */
export interface WantedRange {
  from?: number | null | undefined;
  to?: number | null | undefined;
  bucket?: BucketSize | null | undefined;
  /** Name of the IANA time zone database. */
  timeZone?: string | null | undefined;
}

/** A range of whole buckets, and the period before it. */
export interface HistoryRange {
  bucket: BucketSize;
  timeZone: string;
  /** Start of the period before, which has as many buckets. */
  previousFrom: number;
  /** Edges of the buckets, ascending: the first is the start of the range, the last its end. */
  edges: number[];
  from: number;
  to: number;
}

/** Most buckets of one answer. */
export const MOST_BUCKETS = 1000;

/** How many buckets there are when nobody says how far back to go. */
const USUAL_COUNT: Record<BucketSize, number> = { hour: 48, day: 30, week: 13 };
const NAMES: Record<BucketSize, string> = { hour: 'an hour', day: 'a day', week: 'a week' };

/** No cluster has happenings before: Kubernetes is younger. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/**
 * Makes a range of whole buckets of what was asked for; without `to` it ends now, without `from` it is 48 hours, 30 days
 * or 13 weeks long.
 *
 * @throws RequestError BAD_INPUT when it is upside down, has too many buckets, or is in no known time zone
 */
export function historyRange({ from, to, bucket, timeZone }: WantedRange, now: number): HistoryRange {
  const size = bucket ?? 'day';
  const zone = timeZoneOf(timeZone ?? 'UTC');
  const end = checkTime('to', to ?? now);
  if (from === undefined || from === null) return rangeOf(size, zone, usualEdges(size, zone, end));
  const start = checkTime('from', from);
  if (start >= end) throw new RequestError('BAD_INPUT', `from (${iso(start)}) has to be before to (${iso(end)}).`);
  const count = Math.ceil((end - start) / USUAL_LENGTH[size]);
  if (count > MOST_BUCKETS) {
    throw new RequestError(
      'BAD_INPUT',
      `From ${iso(start)} to ${iso(end)} there are ${count} buckets of ${NAMES[size]}; at most ${MOST_BUCKETS} are allowed. Ask for a shorter range or a longer bucket.`,
    );
  }
  return rangeOf(size, zone, bucketEdges(size, zone, start, end));
}

/** The usual count of buckets up to the one that ends at `end` or holds it, however long each of them is. */
function usualEdges(size: BucketSize, zone: TimeZone, end: number): number[] {
  const count = USUAL_COUNT[size];
  // One more to begin with: clocks that change make some of them longer, and never by as much.
  const edges = bucketEdges(size, zone, end - (count + 1) * USUAL_LENGTH[size], end).slice(-count - 1);
  checkTime('from', edges[0]!);
  return edges;
}

function rangeOf(bucket: BucketSize, zone: TimeZone, edges: number[]): HistoryRange {
  const from = edges[0]!;
  return { bucket, timeZone: zone.name, previousFrom: edgeBefore(bucket, zone, from, edges.length - 1), edges, from, to: edges.at(-1)! };
}

function checkTime(name: string, at: number): number {
  if (at >= EARLIEST && at <= LATEST) return at;
  throw new RequestError('BAD_INPUT', `${name} has to be between ${iso(EARLIEST)} and ${iso(LATEST)}.`);
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

import type { TimeZone } from './time-zone.js';

/** Length of a bucket; days and weeks are those of a zone, weeks begin on Monday. */
export type BucketSize = 'hour' | 'day' | 'week';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Usual lengths, milliseconds; a day of a zone may be an hour longer or shorter. */
export const USUAL_LENGTH: Record<BucketSize, number> = { hour: HOUR, day: DAY, week: 7 * DAY };

/**
 * The edges of the buckets that cover a range: each is the end of one bucket and the start of the next. The first bucket
 * contains `from`, the last one the moment before `to`. All edges are on quarters of an hour.
 *
 * @param from milliseconds since the epoch, before `to`
 */
export function bucketEdges(size: BucketSize, zone: TimeZone, from: number, to: number): number[] {
  if (size === 'hour') return hourEdges(zone, from, to);
  const step = size === 'day' ? 1 : 7;
  const edges: number[] = [];
  for (let day = firstDay(size, zone, from); ; day += step) {
    const edge = startOfDay(zone, day);
    // A zone that moves over the date line skips a whole day: no bucket, rather than one of no length.
    if (edge !== edges.at(-1)) edges.push(edge);
    if (edge >= to) return edges;
  }
}

/** The edge that lies a number of buckets before another one. */
export function edgeBefore(size: BucketSize, zone: TimeZone, edge: number, count: number): number {
  if (size === 'hour') return edge - count * HOUR;
  return startOfDay(zone, localDay(zone, edge) - count * (size === 'day' ? 1 : 7));
}

/** Hours of the wall clock; the hour that is repeated when clocks go back is two buckets. */
function hourEdges(zone: TimeZone, from: number, to: number): number[] {
  const edges = [from - intoHour(zone, from)];
  while (edges.at(-1)! < to) {
    const last = edges.at(-1)!;
    // Where clocks move by half an hour (Lord Howe), this is a bucket of another length once.
    edges.push(last + HOUR - intoHour(zone, last));
  }
  return edges;
}

function intoHour(zone: TimeZone, at: number): number {
  const wall = at + zone.offsetAt(at);
  return wall - Math.floor(wall / HOUR) * HOUR;
}

/** Day of the zone's calendar that a moment lies in, in days since 1970-01-01. */
function localDay(zone: TimeZone, at: number): number {
  return Math.floor((at + zone.offsetAt(at)) / DAY);
}

function firstDay(size: BucketSize, zone: TimeZone, from: number): number {
  const day = localDay(zone, from);
  // 1970-01-01 was a Thursday.
  return size === 'day' ? day : day - mod(day + 3, 7);
}

/** The first moment of a day of the zone's calendar: midnight, or when the clocks jump over midnight, the end of that jump. */
function startOfDay(zone: TimeZone, day: number): number {
  let before = day * DAY - 15 * HOUR;
  let reached = day * DAY + 15 * HOUR;
  while (reached - before > QUARTER) {
    const middle = before + Math.floor((reached - before) / 2 / QUARTER) * QUARTER;
    if (localDay(zone, middle) >= day) reached = middle;
    else before = middle;
  }
  return reached;
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}

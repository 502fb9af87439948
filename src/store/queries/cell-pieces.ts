/** Lengths of the cells that roll-ups are kept in, minutes. */
export type CellMinutes = 15 | 60 | 1440;

/** Cells between two moments that are added to one bucket and taken from the next one. */
export interface CellPiece {
  minutes: CellMinutes;
  /** Milliseconds since the epoch; multiples of the cells' length. */
  from: number;
  to: number;
  /** Number of the bucket that ends at the edge: the piece counts for it `sign` times, and for the next one `-sign` times. */
  bucket: number;
  sign: 1 | -1;
}

/** Cells that are read throughout, each for the bucket in which it begins. */
export interface CellSpan {
  minutes: CellMinutes;
  /** Milliseconds since the epoch; multiples of the cells' length. */
  from: number;
  /** Infinity for all that there are. */
  to: number;
}

/** How buckets are put together from cells. */
export interface CellPlan {
  spans: CellSpan[];
  /** Edges rounded to whole cells, milliseconds since the epoch. */
  rounded: number[];
  /** What makes good for the rounding. */
  pieces: CellPiece[];
}

const MINUTE = 60_000;
const DAY_MINUTES = 1440;

/**
 * Plans the reading of buckets of any length from cells: the coarsest cells throughout, and finer ones only between an edge
 * and the coarse cell's edge next to it. So days of any zone cost one cell each and at most half a day of hours
 * and quarters, instead of all hours.
 *
 * @param edges of the buckets, ascending, milliseconds since the epoch, multiples of 15 minutes; bucket 1 lies between the first two
 * @param open whether what came after the last edge is read too, as one more bucket
 */
export function planCells(edges: readonly number[], open = false): CellPlan {
  const minutes = shortest(edges) >= 22 * 60 * MINUTE ? DAY_MINUTES : 60;
  const cell = minutes * MINUTE;
  const rounded = edges.map((edge) => Math.round(edge / cell) * cell);
  const pieces = edges.flatMap((edge, i) => between(rounded[i]!, edge, i));
  return { spans: spansOf(minutes, rounded[0]!, rounded.at(-1)!, open), rounded, pieces };
}

/** The hours of a range of a year ago are not followed by those of a year, but by days. */
function spansOf(minutes: CellMinutes, from: number, to: number, open: boolean): CellSpan[] {
  if (!open) return [{ minutes, from, to }];
  if (minutes === DAY_MINUTES) return [{ minutes, from, to: Infinity }];
  const day = DAY_MINUTES * MINUTE;
  const midnight = Math.ceil(to / day) * day;
  return [
    { minutes, from, to: midnight },
    { minutes: DAY_MINUTES, from: midnight, to: Infinity },
  ];
}

function shortest(edges: readonly number[]): number {
  return edges.slice(1).reduce((least, edge, i) => Math.min(least, edge - edges[i]!), Infinity);
}

/** Hours, and quarters where the edge is inside an hour, between a rounded edge and the edge. */
function between(rounded: number, edge: number, bucket: number): CellPiece[] {
  if (rounded === edge) return [];
  const sign = edge > rounded ? 1 : -1;
  const hour = 60 * MINUTE;
  // The hour that the edge is in, cut off on the side away from the rounded edge.
  const whole = sign === 1 ? Math.floor(edge / hour) * hour : Math.ceil(edge / hour) * hour;
  const piece = (minutes: CellMinutes, a: number, b: number): CellPiece[] =>
    a === b ? [] : [{ minutes, from: Math.min(a, b), to: Math.max(a, b), bucket, sign }];
  const within = sign === 1 ? whole >= rounded : whole <= rounded;
  return within ? [...piece(60, rounded, whole), ...piece(15, whole, edge)] : piece(15, rounded, edge);
}

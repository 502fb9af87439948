import { describe, expect, it } from 'vitest';
import { planCells } from './cell-pieces.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const at = (time: string): number => Date.parse(time);

/** Adds cells up as the database does; with `now`, a midnight, also those up to then, as one more bucket. Tells how many were read throughout. */
function readByPlan(
  edges: readonly number[],
  count: (from: number, to: number) => number,
  now?: number,
): { sums: number[]; cells: number } {
  const { spans, rounded, pieces } = planCells(edges, now !== undefined);
  const buckets = new Map<number, number>();
  const add = (bucket: number, value: number): void => void buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
  let cells = 0;
  for (const { minutes, from, to } of spans)
    for (let start = from; start < Math.min(to, now ?? to); start += minutes * MINUTE) {
      expect(start % (minutes * MINUTE)).toBe(0);
      add(rounded.filter((edge) => edge <= start).length, count(start, start + minutes * MINUTE));
      cells++;
    }
  for (const { minutes: length, from, to, bucket, sign } of pieces) {
    expect([from % (length * MINUTE), to % (length * MINUTE)].map(Math.abs)).toEqual([0, 0]);
    for (let start = from; start < to; start += length * MINUTE) {
      add(bucket, sign * count(start, start + length * MINUTE));
      add(bucket + 1, -sign * count(start, start + length * MINUTE));
    }
  }
  const ends = now === undefined ? edges.slice(1) : [...edges.slice(1), now];
  return { sums: ends.map((_, i) => buckets.get(i + 1) ?? 0), cells };
}

/** A happening at every quarter, each with another weight, so that one in a wrong bucket shows. */
function count(from: number, to: number): number {
  let sum = 0;
  for (let quarter = from; quarter < to; quarter += 15 * MINUTE) sum += ((quarter / (15 * MINUTE)) % 9973) + 1;
  return sum;
}

describe('planCells', () => {
  it('reads days of UTC as they are', () => {
    const edges = [at('2026-03-01T00:00:00Z'), at('2026-03-02T00:00:00Z'), at('2026-03-03T00:00:00Z')];
    expect(planCells(edges)).toEqual({ spans: [{ minutes: 1440, from: edges[0], to: edges[2] }], rounded: edges, pieces: [] });
  });

  it('corrects days of a zone by the hours between its midnight and that of UTC', () => {
    const { spans, rounded, pieces } = planCells([at('2026-03-01T23:00:00Z'), at('2026-03-02T23:00:00Z')]);
    expect(rounded).toEqual([at('2026-03-02T00:00:00Z'), at('2026-03-03T00:00:00Z')]);
    expect(spans).toEqual([{ minutes: 1440, from: rounded[0], to: rounded[1] }]);
    expect(pieces).toEqual([
      { minutes: 60, from: at('2026-03-01T23:00:00Z'), to: at('2026-03-02T00:00:00Z'), bucket: 0, sign: -1 },
      { minutes: 60, from: at('2026-03-02T23:00:00Z'), to: at('2026-03-03T00:00:00Z'), bucket: 1, sign: -1 },
    ]);
  });

  it.each([
    ['Berlin', -1, DAY],
    ['India', -5.5, DAY],
    ['Nepal', -5.75, DAY],
    ['Newfoundland', 2.5, DAY],
    ['Samoa', -13, DAY],
    ['Chatham', -12.75, DAY],
    ['noon', 12, DAY],
    ['hours of Nepal', 0.25, 60 * MINUTE],
    ['hours of India', 0.5, 60 * MINUTE],
    ['weeks', -1, 7 * DAY],
  ])('gives the same sums as counting quarter by quarter: %s', (_name, hours, length) => {
    const first = at('2026-03-02T00:00:00Z') + hours * 60 * MINUTE;
    const edges = Array.from({ length: 6 }, (_, i) => first + i * length);
    expect(readByPlan(edges, count).sums).toEqual(edges.slice(1).map((edge, i) => count(edges[i]!, edge)));
    const now = at('2026-05-02T00:00:00Z');
    expect(readByPlan(edges, count, now).sums).toEqual([...edges.slice(1), now].map((edge, i) => count(edges[i]!, edge)));
  });

  it('does so for days of unequal length, and for an hour cut in half', () => {
    for (const edges of [
      [at('2026-03-27T23:00:00Z'), at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z'), at('2026-03-30T22:00:00Z')],
      [at('2026-10-03T14:30:00Z'), at('2026-10-03T15:30:00Z'), at('2026-10-03T16:00:00Z'), at('2026-10-03T17:00:00Z')],
    ])
      expect(readByPlan(edges, count).sums).toEqual(edges.slice(1).map((edge, i) => count(edges[i]!, edge)));
  });

  it.each([
    ['hours that end at midnight', '2025-03-04T00:00:00Z', 0],
    ['hours that end at another hour', '2025-03-03T15:00:00Z', 9],
    ['hours that end a quarter before midnight', '2025-03-03T23:45:00Z', 0],
    ['hours that end a quarter behind midnight', '2025-03-04T00:15:00Z', 0],
  ])('reads what came since by the day: %s', (_name, end, more) => {
    const edges = Array.from({ length: 49 }, (_, i) => at(end) - (48 - i) * 60 * MINUTE);
    const now = at('2026-03-04T00:00:00Z');
    const { sums, cells } = readByPlan(edges, count, now);
    expect(sums).toEqual([...edges.slice(1), now].map((edge, i) => count(edges[i]!, edge)));
    expect(cells).toBe(48 + more + 365);
  });
});

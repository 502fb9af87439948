import { describe, expect, it } from 'vitest';
import { planCells } from './cell-pieces.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const at = (time: string): number => Date.parse(time);

/** Adds cells up as the database does, of a stream with `rate(minute)` happenings in each minute. */
function readByPlan(edges: readonly number[], count: (from: number, to: number) => number): number[] {
  const { minutes, rounded, pieces } = planCells(edges);
  const cell = minutes * MINUTE;
  const buckets = new Map<number, number>();
  const add = (bucket: number, value: number): void => void buckets.set(bucket, (buckets.get(bucket) ?? 0) + value);
  for (let start = rounded[0]!; start < rounded.at(-1)!; start += cell)
    add(rounded.filter((edge) => edge <= start).length, count(start, start + cell));
  for (const { minutes: length, from, to, bucket, sign } of pieces) {
    expect([from % (length * MINUTE), to % (length * MINUTE)].map(Math.abs)).toEqual([0, 0]);
    for (let start = from; start < to; start += length * MINUTE) {
      add(bucket, sign * count(start, start + length * MINUTE));
      add(bucket + 1, -sign * count(start, start + length * MINUTE));
    }
  }
  return edges.slice(1).map((_, i) => buckets.get(i + 1) ?? 0);
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
    expect(planCells(edges)).toEqual({ minutes: 1440, rounded: edges, pieces: [] });
  });

  it('corrects days of a zone by the hours between its midnight and that of UTC', () => {
    const { minutes, rounded, pieces } = planCells([at('2026-03-01T23:00:00Z'), at('2026-03-02T23:00:00Z')]);
    expect({ minutes, rounded }).toEqual({ minutes: 1440, rounded: [at('2026-03-02T00:00:00Z'), at('2026-03-03T00:00:00Z')] });
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
    expect(readByPlan(edges, count)).toEqual(edges.slice(1).map((edge, i) => count(edges[i]!, edge)));
  });

  it('does so for days of unequal length, and for an hour cut in half', () => {
    for (const edges of [
      [at('2026-03-27T23:00:00Z'), at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z'), at('2026-03-30T22:00:00Z')],
      [at('2026-10-03T14:30:00Z'), at('2026-10-03T15:30:00Z'), at('2026-10-03T16:00:00Z'), at('2026-10-03T17:00:00Z')],
    ])
      expect(readByPlan(edges, count)).toEqual(edges.slice(1).map((edge, i) => count(edges[i]!, edge)));
  });
});

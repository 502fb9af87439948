import { describe, expect, it } from 'vitest';
import { assignGrowth } from './assign-growth.js';

const MINUTE = 60_000;
const of = (count: number, minute: number, affected = 'a'): { count: number; at: number; affected: string } => ({
  count,
  at: minute * MINUTE,
  affected,
});
const noQuiet = (): null => null;

describe('assignGrowth', () => {
  it('counts what the highest count grew by, in whatever order the deliveries came', () => {
    const growth = (observations: ReturnType<typeof of>[]): number[] =>
      assignGrowth(observations, noQuiet).map((sighting) => sighting.growth);
    expect(growth([of(5, 9), of(3, 4)])).toEqual([3, 2]);
    expect(growth([of(3, 4), of(5, 9)])).toEqual([3, 2]);
  });

  it('goes on from what is known', () => {
    expect(assignGrowth([of(7, 9)], noQuiet, of(5, 4))).toMatchObject([{ growth: 2 }]);
  });

  it('counts a later time with the same count as no further happening', () => {
    expect(assignGrowth([of(1, 1), of(1, 5)], noQuiet).map(({ growth }) => growth)).toEqual([1, 0]);
  });

  it('vouches for the time between two deliveries when the happenings in between leave no pause as long as quiet', () => {
    const quiet = (): number => 10 * MINUTE;
    expect(assignGrowth([of(1, 0), of(13, 120)], quiet)[1]!.since).toBe(0);
    expect(assignGrowth([of(1, 0), of(3, 120)], quiet)[1]!.since).toBe(120 * MINUTE);
  });

  it('vouches for nothing across two objects', () => {
    expect(assignGrowth([of(1, 0, 'a'), of(100, 10, 'b')], () => 10 * MINUTE)[1]!.since).toBe(10 * MINUTE);
  });

  it('counts nothing again that lies before what has been counted, nor less of what comes after', () => {
    expect(assignGrowth([of(3, 1), of(10, 9)], noQuiet, of(8, 4)).map(({ growth }) => growth)).toEqual([0, 2]);
  });
});

import { describe, expect, it } from 'vitest';
import { countLags, LAG_BOUNDS, lagOf } from './lag.js';

const NOW = 1_800_000_000_000;
const late = (...seconds: number[]): number[] =>
  countLags(
    seconds.map((each) => NOW - each * 1000),
    NOW,
  );

describe('lagOf', () => {
  it('says the median and the high end, rounded up to a bound', () => {
    const counts = late(0.2, 0.3, 1.5, 3, 700);
    expect(lagOf(counts, 0.5)).toBe(2);
    expect(lagOf(counts, 0.95)).toBe(900);
  });

  it('says nothing where nothing came', () => expect(lagOf(late(), 0.5)).toBeNull());

  it('counts an event from the future as in time, and one of last week as a day late', () => {
    expect(lagOf(late(-3600), 0.5)).toBe(1);
    expect(lagOf(late(7 * 86_400), 0.5)).toBe(86_400);
  });
});

describe('countLags', () => {
  it('puts what is exactly on a bound below it', () => {
    for (const [i, bound] of LAG_BOUNDS.entries()) expect(late(bound)[i]).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { delayAfter } from './back-off.js';

const timing = { firstDelayMs: 500, longestDelayMs: 30_000 };

describe('delayAfter', () => {
  it('doubles up to the longest', () => {
    expect([1, 2, 3, 6, 7, 8, 5000].map((failures) => delayAfter(failures, timing, 1))).toEqual([
      500, 1000, 2000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('takes between a half and the whole by chance', () => {
    expect([0, 0.5, 1].map((chance) => delayAfter(2, timing, chance))).toEqual([500, 750, 1000]);
  });

  it('waits at least as long as the server asked for, within reason', () => {
    expect(delayAfter(1, timing, 0, 7000)).toBe(7000);
    expect(delayAfter(1, timing, 0, 86_400_000)).toBe(300_000);
    expect(delayAfter(8, timing, 1, 1000)).toBe(30_000);
  });
});

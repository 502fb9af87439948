import { afterEach, describe, expect, it, vi } from 'vitest';
import { LookedUp } from './looked-up.service.js';

describe('LookedUp', () => {
  afterEach(() => void vi.useRealTimers());

  function lookedUp(lookUp: () => Promise<number>): {
    found: LookedUp<number>;
    told: unknown[];
    at: (now: number) => Promise<number | undefined>;
  } {
    const clock = { time: 0, now: () => clock.time };
    const told: unknown[] = [];
    const found = new LookedUp(clock, lookUp, (error) => void told.push(error));
    return {
      found,
      told,
      at: (now) => {
        clock.time = now;
        return found.get();
      },
    };
  }

  it('looks up once for all who ask within five seconds, and again after that', async () => {
    let count = 0;
    const { at } = lookedUp(async () => ++count);
    expect(await Promise.all([at(0), at(0), at(4_999)])).toEqual([1, 1, 1]);
    expect(await at(5_000)).toBe(2);
    // A clock that was set back is no reason to keep an answer for ever.
    expect(await at(100)).toBe(3);
  });

  it('has nothing to say when the look-up fails, tells why, and tries again later', async () => {
    let count = 0;
    const { at, told } = lookedUp(async () => (++count === 1 ? Promise.reject(new Error('away')) : count));
    expect([await at(0), await at(1)]).toEqual([undefined, undefined]);
    expect(told).toEqual([new Error('away')]);
    expect(await at(6_000)).toBe(2);
  });

  it('waits no longer than three seconds, begins nothing new meanwhile, and has the late answer for whoever asks next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer: (count: number) => void = () => undefined;
    let begun = 0;
    const { at } = lookedUp(() => {
      begun++;
      return new Promise((resolve) => (answer = resolve));
    });
    const first = at(0);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await first).toBeUndefined();
    const second = at(60_000);
    expect(begun).toBe(1);
    answer(7);
    expect(await second).toBe(7);
  });
});

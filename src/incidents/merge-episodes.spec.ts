import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Episode } from './merge-episodes.js';
import { mergeEpisodes } from './merge-episodes.js';

const period = (startedAt: number, endedAt: number | null): Episode => ({
  startedAt,
  endedAt,
  resolution: endedAt === null ? null : 'QUIET',
});

describe('mergeEpisodes', () => {
  it('is open while any object is', () => {
    expect(mergeEpisodes([period(0, 5), period(3, null), period(4, 9)])).toEqual([period(0, null)]);
  });

  it('unites what overlaps or touches and keeps apart what does not', () => {
    expect(mergeEpisodes([period(8, 9), period(0, 5), period(5, 6)])).toEqual([period(0, 6), period(8, 9)]);
  });

  it('is ended by what ended its last object', () => {
    const episodes = mergeEpisodes([
      { startedAt: 0, endedAt: 9, resolution: 'SUCCESS_EVENT' },
      { startedAt: 1, endedAt: 5, resolution: 'QUIET' },
    ]);
    expect(episodes).toEqual([{ startedAt: 0, endedAt: 9, resolution: 'SUCCESS_EVENT' }]);
  });

  it('does not depend on the order of its objects', () => {
    const interval = fc.record({
      startedAt: fc.nat(20),
      length: fc.option(fc.nat(10)),
      resolution: fc.constantFrom('QUIET' as const, 'SUCCESS_EVENT' as const),
    });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 8 }), fc.nat(), (intervals, turn) => {
        const periods = intervals.map(({ startedAt, length, resolution }) => ({
          startedAt,
          endedAt: length === null ? null : startedAt + length,
          resolution: length === null ? null : resolution,
        }));
        const turned = periods.map((_, i) => periods[(i + turn) % periods.length]!).reverse();
        expect(mergeEpisodes(turned)).toEqual(mergeEpisodes(periods));
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});

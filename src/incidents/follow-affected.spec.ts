import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followAnew, followOn } from './follow-affected.js';
import type { Ending, Interval, Mark } from './timeline.js';
import { comesInOrder, extendTimeline, settleQuiet } from './timeline.js';

const seen = (at: number, since = at): Mark => ({ kind: 'sighting', at, since });
const cleared = (at: number, resolution: 'SUCCESS_EVENT' | 'OBJECT_GONE' = 'SUCCESS_EVENT'): Mark => ({ kind: 'clear', at, resolution });
const isSighting = (mark: Mark): mark is Mark & { kind: 'sighting' } => mark.kind === 'sighting';
const period = (startedAt: number, lastAt: number, endedAt: number | null, resolution: Interval['resolution']): Interval => ({
  startedAt,
  lastAt,
  endedAt,
  resolution,
});

/** What is kept of one affected object. */
interface Kept {
  periods: Interval[];
  marks: Mark[];
}

/** Takes one batch of marks as intake does: added to the latest period where they come in order, else derived anew. */
function take({ periods, marks }: Kept, batch: readonly Mark[], ending: Ending, now: number): Kept {
  const current = periods.at(-1);
  const from = Math.min(...batch.filter(isSighting).map(({ at }) => at));
  const added = [...batch, ...marks.filter((mark) => mark.kind === 'clear' && mark.at >= from)];
  const all = [...marks, ...batch];
  if (!current || comesInOrder(current, added)) {
    const followed = followOn(current, added, ending, now);
    return { periods: followed ? [...periods.slice(0, -1), ...followed.past, followed.current] : periods, marks: all };
  }
  const changed = Math.min(...added.map((mark) => (mark.kind === 'sighting' ? mark.since : mark.at)));
  const cut = all.filter(isSighting).reduce<number | null>((last, { at }) => (at < changed ? Math.max(last ?? -Infinity, at) : last), null);
  const history = {
    cut,
    sightings: all.filter(isSighting).filter(({ at }) => cut === null || at >= cut),
    past: periods.slice(0, -1).filter(({ endedAt }) => cut === null || endedAt! >= cut),
  };
  const signals = all.filter((mark) => mark.kind === 'clear' && (cut === null || mark.at >= cut));
  const { past, current: latest, replacesFrom } = followAnew(current, history, signals, ending, now);
  return { periods: [...periods.slice(0, -1).filter(({ startedAt }) => startedAt < replacesFrom!), ...past, latest], marks: all };
}

describe('following an affected object', () => {
  it('ends in the same periods whatever the order and the cut of its marks, those of one instant included', () => {
    const mark = fc.oneof(
      fc.record({ at: fc.nat(40), back: fc.nat(9) }).map(({ at, back }) => seen(at, at - back)),
      fc
        .record({ at: fc.nat(40), resolution: fc.constantFrom('SUCCESS_EVENT' as const, 'OBJECT_GONE' as const) })
        .map(({ at, resolution }) => cleared(at, resolution)),
    );
    const ending = fc.record({ quiet: fc.constantFrom(null, 4, 12), settle: fc.constantFrom(0, 3) });
    fc.assert(
      fc.property(
        fc.array(mark, { maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        ending,
        fc.nat(60),
        (marks, sizes, how, now) => {
          let kept: Kept = { periods: [], marks: [] };
          for (let from = 0, i = 0; from < marks.length; from += sizes[i++ % sizes.length]!) {
            kept = take(kept, marks.slice(from, from + sizes[i % sizes.length]!), how, now);
          }
          expect(settleQuiet(kept.periods, how, now)).toEqual(settleQuiet(extendTimeline([], marks, how), how, now));
        },
      ),
      { seed: 23, numRuns: 5000 },
    );
  });
});

describe('followAnew', () => {
  const how: Ending = { quiet: 10, settle: 0 };
  const dropped = [period(0, 5, 9, 'SUCCESS_EVENT'), period(20, 25, 35, 'QUIET')];

  it('keeps the periods whose marks have been dropped, also when something older than they arrives', () => {
    const { past, current } = followAnew(
      period(100, 110, null, null),
      { cut: null, past: dropped, sightings: [seen(100), seen(110), seen(60)].filter(isSighting) },
      [],
      how,
      111,
    );
    expect([...past, current]).toEqual([...dropped, period(60, 60, 70, 'QUIET'), period(100, 110, null, null)]);
    const oldest = followAnew(
      period(100, 110, null, null),
      { cut: null, past: dropped, sightings: [seen(100), seen(110), seen(-50)].filter(isSighting) },
      [],
      how,
      111,
    );
    expect([...oldest.past, oldest.current]).toEqual([period(-50, -50, -40, 'QUIET'), ...dropped, period(100, 110, null, null)]);
  });

  it('keeps a period whole of which the beginning has been dropped, and lets it end where it ended', () => {
    const long = period(0, 90, 95, 'OBJECT_GONE');
    const { past, current } = followAnew(
      period(120, 120, null, null),
      { cut: null, past: [long], sightings: [seen(80), seen(90), seen(120), seen(97)].filter(isSighting) },
      [],
      how,
      121,
    );
    expect([...past, current]).toEqual([long, period(97, 97, 107, 'QUIET'), period(120, 120, null, null)]);
  });
});

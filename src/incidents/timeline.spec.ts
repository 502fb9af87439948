import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ending, Interval, Mark } from './timeline.js';
import { comesInOrder, compareMarks, extendTimeline, quietDeadline, settleQuiet } from './timeline.js';

const seen = (at: number, since = at): Mark => ({ kind: 'sighting', at, since });
const success = (at: number): Mark => ({ kind: 'clear', at, resolution: 'SUCCESS_EVENT' });
const gone = (at: number): Mark => ({ kind: 'clear', at, resolution: 'OBJECT_GONE' });
const spelled = (intervals: readonly Interval[]): string[] =>
  intervals.map(({ startedAt, lastAt, endedAt, resolution }) => `${startedAt}-${lastAt} ${endedAt ?? 'open'} ${resolution ?? ''}`.trim());
const run = (marks: Mark[], ending: Partial<Ending> = {}): string[] =>
  spelled(extendTimeline([], marks, { quiet: null, settle: 0, ...ending }));

describe('extendTimeline', () => {
  it('lasts from the first sighting to the success after the last', () => {
    expect(run([seen(1), seen(5), success(9)])).toEqual(['1-5 9 SUCCESS_EVENT']);
  });

  it('ignores a success before the first sighting and a second success', () => {
    expect(run([success(0), seen(1), success(3), success(4)])).toEqual(['1-1 3 SUCCESS_EVENT']);
  });

  it('starts a new period with a sighting after the end', () => {
    expect(run([seen(1), success(3), seen(4)])).toEqual(['1-1 3 SUCCESS_EVENT', '4-4 open']);
  });

  it('takes a success of the same instant as the later one', () => {
    expect(run([success(5), seen(5)])).toEqual(['5-5 5 SUCCESS_EVENT']);
  });

  it('ends by quiet when the next sighting comes too late', () => {
    expect(run([seen(0), seen(10), seen(21)], { quiet: 10 })).toEqual(['0-10 20 QUIET', '21-21 open']);
  });

  it('ends by quiet when the success comes after the deadline', () => {
    expect(run([seen(0), success(30)], { quiet: 10 })).toEqual(['0-0 10 QUIET']);
  });

  it('sees no pause where the sender vouches for what lay between', () => {
    expect(run([seen(0), seen(100, 5)], { quiet: 10 })).toEqual(['0-100 open']);
    expect(run([seen(0), seen(60), seen(100, 5)], { quiet: 10 })).toEqual(['0-100 open']);
  });

  it('lets a success count only when the failure has settled, and the end of the object always', () => {
    expect(run([seen(0), success(5), success(60)], { settle: 60 })).toEqual(['0-0 60 SUCCESS_EVENT']);
    expect(run([seen(0), gone(5)], { settle: 60 })).toEqual(['0-0 5 OBJECT_GONE']);
  });

  it('takes back an end by quiet when it hears of a sighting or a success before the deadline', () => {
    const quiet: Interval = { startedAt: 0, lastAt: 0, endedAt: 10, resolution: 'QUIET' };
    const ending = { quiet: 10, settle: 0 };
    expect(spelled(extendTimeline([quiet], [seen(7)], ending))).toEqual(['0-7 open']);
    expect(spelled(extendTimeline([quiet], [success(7)], ending))).toEqual(['0-0 7 SUCCESS_EVENT']);
  });

  it('gives the same periods in one go and in portions that come in order', () => {
    const mark = fc.oneof(
      fc.record({ at: fc.nat(200), back: fc.nat(30) }).map(({ at, back }) => seen(at, at - back)),
      fc.nat(200).map(success),
      fc.nat(200).map(gone),
    );
    const ending = fc.record({ quiet: fc.constantFrom(null, 5, 20), settle: fc.constantFrom(0, 7) });
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 20 }), ending, fc.nat(20), (marks, how, cut) => {
        const sorted = [...marks].sort(compareMarks);
        const whole = extendTimeline([], marks, how);
        const first = extendTimeline([], sorted.slice(0, cut), how);
        const rest = sorted.slice(cut);
        fc.pre(comesInOrder(first.at(-1), rest));
        expect([...first.slice(0, -1), ...extendTimeline(first.slice(-1), rest, how)]).toEqual(whole);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('settleQuiet', () => {
  const open: Interval = { startedAt: 0, lastAt: 5, endedAt: null, resolution: null };

  it('ends the last period once its deadline has come', () => {
    expect(spelled(settleQuiet([open], { quiet: 10, settle: 0 }, 14))).toEqual(['0-5 open']);
    expect(spelled(settleQuiet([open], { quiet: 10, settle: 0 }, 15))).toEqual(['0-5 15 QUIET']);
  });

  it('never ends what silence does not prove', () => {
    expect(quietDeadline(open, { quiet: null, settle: 0 })).toBeNull();
    expect(spelled(settleQuiet([open], { quiet: null, settle: 0 }, 1e15))).toEqual(['0-5 open']);
  });
});

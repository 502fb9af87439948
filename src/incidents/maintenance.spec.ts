import { describe, expect, it } from 'vitest';
import { faultOfCron, runningWindow, upcomingWindows } from './maintenance.js';
import type { Schedule } from './silencing.js';

const at = (text: string): number => Date.parse(text);
const shown = (window: { startsAt: number; endsAt: number } | null): string | null =>
  window && `${new Date(window.startsAt).toISOString()} ${new Date(window.endsAt).toISOString()}`;
const nightly: Schedule = {
  startsAt: at('2027-01-01T00:00:00Z'),
  endsAt: null,
  cron: '0 3 * * *',
  durationMs: 2 * 3_600_000,
  timeZone: 'Europe/Berlin',
};

describe('runningWindow', () => {
  it('follows the clocks of the zone over daylight saving, both ways', () => {
    expect(shown(runningWindow(nightly, at('2027-03-27T02:30:00Z')))).toBe('2027-03-27T02:00:00.000Z 2027-03-27T04:00:00.000Z');
    // Clocks went forward in the night.
    expect(shown(runningWindow(nightly, at('2027-03-28T01:30:00Z')))).toBe('2027-03-28T01:00:00.000Z 2027-03-28T03:00:00.000Z');
    expect(runningWindow(nightly, at('2027-03-28T03:00:00Z'))).toBeNull();
    expect(shown(runningWindow(nightly, at('2027-10-30T01:00:00Z')))).toBe('2027-10-30T01:00:00.000Z 2027-10-30T03:00:00.000Z');
    expect(runningWindow(nightly, at('2027-10-31T01:30:00Z'))).toBeNull();
    expect(shown(runningWindow(nightly, at('2027-10-31T02:00:00Z')))).toBe('2027-10-31T02:00:00.000Z 2027-10-31T04:00:00.000Z');
  });

  it('takes a list or a range of hours for times of the clock too, none of which is left out or comes twice', () => {
    for (const cron of ['0 2,14 * * *', '0,59 2 * * *', '0 2-3 * * *']) {
      const starts = (from: string): string[] =>
        upcomingWindows({ ...nightly, cron, durationMs: 3_600_000 }, at(from), 2).map(({ startsAt }) => new Date(startsAt).toISOString());
      // The hour from two to three was left out; what was to begin then begins with the next.
      expect(starts('2027-03-27T22:00:00Z')[0], cron).toBe('2027-03-28T01:00:00.000Z');
      // It came twice.
      const [first, second] = starts('2027-10-30T22:00:00Z');
      expect([first, second === '2027-10-31T01:00:00.000Z'], cron).toEqual(['2027-10-31T00:00:00.000Z', false]);
    }
  });

  it('is not hidden by a start in the second before the schedule begins', () => {
    const schedule = { ...nightly, startsAt: at('2027-05-01T00:00:00.500Z'), cron: '* * * * *', timeZone: 'UTC', durationMs: 120_000 };
    expect(shown(runningWindow(schedule, at('2027-05-01T00:01:01Z')))).toBe('2027-05-01T00:01:00.000Z 2027-05-01T00:03:00.000Z');
    expect(upcomingWindows(schedule, at('2027-05-01T00:00:00.600Z'), 2).map(shown)).toHaveLength(2);
  });

  it('begins with its first moment and ends before its last', () => {
    expect(
      [1_799, 1_800, 3_599].map(
        (seconds) =>
          runningWindow(
            { ...nightly, cron: '30 0 * * *', timeZone: 'UTC', durationMs: 1_800_000 },
            at('2027-05-01T00:00:00Z') + seconds * 1000,
          ) !== null,
      ),
    ).toEqual([false, true, true]);
    expect(
      runningWindow({ ...nightly, cron: '30 0 * * *', timeZone: 'UTC', durationMs: 1_800_000 }, at('2027-05-01T01:00:00Z')),
    ).toBeNull();
  });

  it('keeps within the time for which the schedule holds', () => {
    const bounded = { ...nightly, timeZone: 'UTC', startsAt: at('2027-05-01T03:00:00Z'), endsAt: at('2027-05-02T04:00:00Z') };
    expect(runningWindow(bounded, at('2027-04-30T03:30:00Z'))).toBeNull();
    expect(shown(runningWindow(bounded, at('2027-05-01T03:00:00Z')))).toBe('2027-05-01T03:00:00.000Z 2027-05-01T05:00:00.000Z');
    expect(shown(runningWindow(bounded, at('2027-05-02T03:30:00Z')))).toBe('2027-05-02T03:00:00.000Z 2027-05-02T04:00:00.000Z');
    expect(runningWindow(bounded, at('2027-05-02T04:30:00Z'))).toBeNull();
  });
});

describe('upcomingWindows', () => {
  it('lists the next ones, each in the time of its zone', () => {
    expect(upcomingWindows(nightly, at('2027-03-26T12:00:00Z'), 3).map(({ startsAt }) => new Date(startsAt).toISOString())).toEqual([
      '2027-03-27T02:00:00.000Z',
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T01:00:00.000Z',
    ]);
  });

  it('lists a single one until it begins', () => {
    const once: Schedule = { startsAt: 1000, endsAt: 2000, cron: null, durationMs: null, timeZone: null };
    expect([upcomingWindows(once, 999, 5).length, upcomingWindows(once, 1000, 5).length]).toEqual([1, 0]);
  });
});

describe('faultOfCron', () => {
  it('tells what is wrong', () => {
    expect(faultOfCron('0 3 * * SUN#1', 'UTC', 0)).toBeUndefined();
    expect(faultOfCron('* * * * * *', 'UTC', 0)).toContain('five fields');
    expect(faultOfCron('61 3 * * *', 'UTC', 0)).toContain('a cron expression');
    expect(faultOfCron("'; DROP TABLE x;--", 'UTC', 0)).toBeDefined();
    expect(faultOfCron('0 0 31 2 *', 'UTC', 0)).toBe('a time that comes');
  });
});

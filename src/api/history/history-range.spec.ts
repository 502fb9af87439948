import { describe, expect, it } from 'vitest';
import type { BucketSize } from './bucket-edges.js';
import { historyRange } from './history-range.js';

const NOW = Date.parse('2026-11-21T10:30:00Z');
const at = (time: string): number => Date.parse(time);

describe('historyRange', () => {
  it('ends now and is 30 days, 48 hours or 13 weeks long when nobody says otherwise', () => {
    expect(historyRange({}, NOW)).toMatchObject({
      bucket: 'day',
      timeZone: 'UTC',
      from: at('2026-10-23T00:00:00Z'),
      to: at('2026-11-22T00:00:00Z'),
      previousFrom: at('2026-09-23T00:00:00Z'),
    });
    expect(historyRange({}, NOW).edges).toHaveLength(31);
    expect(historyRange({ bucket: 'hour' }, NOW).edges).toHaveLength(49);
    expect(historyRange({ bucket: 'week' }, NOW).edges).toHaveLength(14);
  });

  it.each<[BucketSize, string, string, string, number]>([
    ['day', 'UTC', '2026-11-22T00:00:00Z', '2026-10-23T00:00:00Z', 30],
    ['hour', 'UTC', '2026-11-21T10:00:00Z', '2026-11-19T10:00:00Z', 48],
    ['week', 'UTC', '2026-11-23T00:00:00Z', '2026-08-24T00:00:00Z', 13],
    // A day of 25 hours lies between, and one of 23.
    ['day', 'Europe/Berlin', '2026-11-05T22:30:00Z', '2026-10-06T22:00:00Z', 30],
    ['day', 'Europe/Berlin', '2026-04-05T22:00:00Z', '2026-03-06T23:00:00Z', 30],
    ['week', 'Europe/Berlin', '2026-11-01T23:00:00Z', '2026-08-02T22:00:00Z', 13],
    // Clocks go back by half an hour at 2026-04-04T15:00:00Z.
    ['hour', 'Australia/Lord_Howe', '2026-04-05T15:30:00Z', '2026-04-03T16:00:00Z', 48],
    // Has no 30 December 2011.
    ['day', 'Pacific/Apia', '2012-01-10T10:00:00Z', '2011-12-11T10:00:00Z', 30],
  ])('goes back as many buckets as usual by the %s in %s when it ends at %s', (bucket, timeZone, to, from, count) => {
    const range = historyRange({ bucket, timeZone, to: at(to) }, NOW);
    expect(new Date(range.from).toISOString()).toBe(new Date(from).toISOString());
    expect(range.edges).toHaveLength(count + 1);
  });

  it('widens to whole buckets of the zone, and takes as many before', () => {
    const range = historyRange({ from: at('2026-10-25T12:00:00Z'), to: at('2026-10-26T12:00:00Z'), timeZone: 'Europe/Berlin' }, NOW);
    expect(range.edges).toEqual([at('2026-10-24T22:00:00Z'), at('2026-10-25T23:00:00Z'), at('2026-10-26T23:00:00Z')]);
    expect(range.previousFrom).toBe(at('2026-10-22T22:00:00Z'));
  });

  it('refuses a range upside down or of no length, and names both ends', () => {
    expect(() => historyRange({ from: NOW, to: NOW - 1 }, NOW)).toThrow(
      /^from \(2026-11-21T10:30:00Z\) has to be before to \(2026-11-21T10:29:59.999Z\)\.$/,
    );
    expect(() => historyRange({ from: NOW, to: NOW }, NOW)).toThrow(/has to be before/);
    expect(() => historyRange({ from: NOW + 1 }, NOW)).toThrow(/has to be before/);
  });

  it('refuses a hundred years by the hour, and names the most buckets', () => {
    const century = { from: at('2026-01-01T00:00:00Z'), to: at('2126-01-01T00:00:00Z'), bucket: 'hour' as const };
    expect(() => historyRange(century, NOW)).toThrow(/876576 buckets of an hour; at most 1000 are allowed/);
    const thousand = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T00:00:00Z') + 1000 * 3_600_000, bucket: 'hour' as const };
    expect(historyRange(thousand, NOW).edges).toHaveLength(1001);
    expect(() => historyRange({ ...thousand, to: thousand.to + 1 }, NOW)).toThrow(/1001 buckets/);
  });

  it.each([-62167219200000, 8.64e15, NaN])('refuses a time that cannot be meant: %d', (time) => {
    expect(() => historyRange({ to: time }, NOW)).toThrow(/^to has to be between 2000-01-01T00:00:00Z and 2200-01-01T00:00:00Z\.$/);
  });
});

import { describe, expect, it } from 'vitest';
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

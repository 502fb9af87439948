import { describe, expect, it } from 'vitest';
import { parseTime } from './parse-time.js';

describe('parseTime', () => {
  it.each([
    ['2026-11-20T08:30:00Z', Date.UTC(2026, 10, 20, 8, 30)],
    ['2026-11-20t08:30z', Date.UTC(2026, 10, 20, 8, 30)],
    ['2024-02-29T23:59:59.999-02:00', Date.UTC(2024, 2, 1, 1, 59, 59, 999)],
    ['2026-01-31T00:00:00+05:45', Date.UTC(2026, 0, 30, 18, 15)],
  ])('reads %s', (text, time) => expect(parseTime(text)).toBe(time));

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00+02:00',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '',
    null,
    ['2026-01-01T00:00:00Z'],
    20260101,
  ])('takes no %j', (value) => expect(parseTime(value)).toBeNaN());
});

import { describe, expect, it } from 'vitest';
import { rfc3339OfGo } from './parse-go-time.js';

describe('rfc3339OfGo', () => {
  it.each([
    ['2026-06-01 11:02:11 +0000 UTC', '2026-06-01T11:02:11+00:00'],
    ['2026-01-01 08:00:00 +0800 CST', '2026-01-01T08:00:00+08:00'],
    ['2026-01-01 08:00:00.123456789 -0330 -0330 m=+12.5', '2026-01-01T08:00:00.123456789-03:30'],
    ['2026-06-01T11:02:11Z', '2026-06-01T11:02:11Z'],
    ['yesterday', 'yesterday'],
  ])('rewrites %j to %j', (text, rewritten) => {
    expect(rfc3339OfGo(text)).toBe(rewritten);
  });
});

import { describe, expect, it } from 'vitest';
import { parseSilenceAfter } from './parse-silence-after.js';

describe('parseSilenceAfter', () => {
  it.each([
    ['auto', 'auto'],
    ['off', 0],
    ['90s', 90_000],
    ['15m', 900_000],
    ['6h', 21_600_000],
    ['30d', 2_592_000_000],
  ])('reads %s', (text, read) => expect(parseSilenceAfter(text)).toBe(read));

  it.each(['', '0', '59s', '31d', '15', '1.5h', '-15m', '15 m', 'never'])('refuses %j', (text) =>
    expect(parseSilenceAfter(text)).toBeUndefined(),
  );
});

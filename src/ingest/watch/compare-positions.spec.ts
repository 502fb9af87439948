import { describe, expect, it } from 'vitest';
import { isBehind } from './compare-positions.js';

describe('isBehind', () => {
  it('compares revisions as numbers, however long', () => {
    expect(isBehind('9', '10')).toBe(true);
    expect(isBehind('10', '9')).toBe(false);
    expect(isBehind('10', '10')).toBe(false);
    expect(isBehind('9007199254740992', '9007199254740993')).toBe(true);
  });

  it('does not compare what is no revision', () => {
    expect(isBehind('', '10')).toBe(false);
    expect(isBehind('abc', '10')).toBe(false);
    expect(isBehind('1', '0x10')).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

describe('nearestName', () => {
  it.each([
    ['PROT', 'PORT'],
    ['HOSTS', 'HOST'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('takes %s for %s', (name, expected) => {
    expect(nearestName(name, ['HOST', 'PORT', 'LOG_LEVEL'])).toBe(expected);
  });

  it('has no answer without candidates', () => {
    expect(nearestName('PORT', [])).toBeUndefined();
  });
});

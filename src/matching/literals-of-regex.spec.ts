import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { literalsOfRegex } from './literals-of-regex.js';

describe('literalsOfRegex', () => {
  it.each([
    ['ErrorCode:\\s*E[4-6]\\d{3}\\s+Details:', ['ErrorCode:', 'E', 'Details:']],
    ['colou?r and (red|blue) end', ['colo', 'r and ', ' end']],
    ['a+b*c{2}d', ['a', 'd']],
    ['one|two', []],
    ['(?i)abc', ['abc']],
    ['x\\.y\\[z\\]', ['x.y[z]']],
    ['[[:alpha:]]x[]a]y', ['x', 'y']],
    ['^start$', ['start']],
  ])('takes what every match of %s contains', (source, literals) => {
    expect(() => RE2JS.compile(source)).not.toThrow();
    expect(literalsOfRegex(source)).toEqual(literals);
  });
});

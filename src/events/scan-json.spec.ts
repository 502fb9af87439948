import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from './scan-json.js';

function isWhole(text: string): boolean {
  const { end, expected } = scanJson(text, 0);
  return expected === '' && text.slice(end).trim() === '';
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('scanJson', () => {
  it.each([
    ['{"a":1} {"b":2}', 0, 7],
    ['{"a":1} {"b":2}', 7, 15],
    ['  [1, {"a": []}, "}\\""] x', 0, 23],
    ['-0.5e+10,', 0, 8],
    ['nullnull', 0, 4],
  ])('finds the end of the value in %j from %i', (text, from, end) => {
    expect(scanJson(text, from)).toEqual({ end, expected: '' });
  });

  it.each([
    ['', 0, 'a JSON value'],
    ['{"a" 1}', 5, "':'"],
    ['{"a":1,}', 7, 'a quoted key'],
    ['{a:1}', 1, "a quoted key or '}'"],
    ['[1 2]', 3, "',' or ']'"],
    ['{"a":[1}', 7, "',' or ']'"],
    ['{"a":1', 6, "',' or '}'"],
    ['"abc', 4, "'\"'"],
    ['"a\nb"', 2, 'an escaped control character'],
    ['"a\\x"', 2, 'an escape of JSON'],
    ['"a\\u12g4"', 2, 'an escape of JSON'],
    ['-x', 1, 'a digit'],
    ['1.', 2, 'a digit'],
    ['1e', 2, 'a digit'],
  ])('says where and how %j breaks', (text, end, expected) => {
    expect(scanJson(text, 0)).toEqual({ end, expected });
  });

  it('takes exactly what JSON.parse takes', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '0',
      '-',
      '.',
      'e',
      '+',
      '\\',
      '\\u00e9',
      'true',
      'null',
      ' ',
      '\n',
      '\t',
      '\u0000',
      'é',
    );
    const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
    const damaged = fc
      .tuple(fc.json({ noUnicodeString: false }), fc.nat(), token)
      .map(([json, at, piece]) => json.slice(0, at % (json.length + 1)) + piece + json.slice((at % (json.length + 1)) + 1));
    fc.assert(
      fc.property(fc.oneof(soup, damaged, fc.json()), (text) => {
        expect(isWhole(text)).toBe(parses(text));
      }),
      { seed: 2, numRuns: 20_000 },
    );
  });

  it('needs no call stack for a million open brackets', () => {
    expect(scanJson('['.repeat(1_000_000), 0)).toEqual({ end: 1_000_000, expected: 'a JSON value' });
    expect(scanJson('['.repeat(1_000_000) + ']'.repeat(1_000_000), 0).expected).toBe('');
  });
});

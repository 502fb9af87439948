import { describe, expect, it } from 'vitest';
import { csvLine } from './csv-line.js';

describe('csvLine', () => {
  it('joins by commas and ends with CR LF', () => {
    expect(csvLine(['a', 1, null, 'b c', -2.5])).toBe('a,1,,b c,-2.5\r\n');
  });

  it('quotes what holds a comma, a quote or a line break', () => {
    expect(csvLine(['a,b', 'say "x"', 'one\ntwo', '\\'])).toBe('"a,b","say ""x""","one\ntwo",\\\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1', "=cmd|' /C calc'!A0"])('keeps %j a text', (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  });

  it('quotes a formula with a line break or a comma after it has made it a text', () => {
    expect(csvLine(['=HYPERLINK("x","y")', '\r=1'])).toBe(`"'=HYPERLINK(""x"",""y"")","'\r=1"\r\n`);
  });
});

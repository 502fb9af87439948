import { describe, expect, it } from 'vitest';
import { parseRetention } from './parse-retention.js';

describe('parseRetention', () => {
  it('keeps as usual what is not named', () => {
    expect(parseRetention('', 90)).toEqual({ events: 90, quarters: 400, hours: Infinity, affected: 400, incidents: Infinity });
    expect(parseRetention('quarters=35d, incidents=800d', 90)).toMatchObject({
      quarters: 35,
      hours: Infinity,
      affected: 400,
      incidents: 800,
    });
  });

  it('keeps objects as long as events, and no quarters longer than hours, when only the longer one is named', () => {
    expect(parseRetention('', 1000)).toMatchObject({ events: 1000, affected: 1000 });
    expect(parseRetention('hours=100d', 90)).toMatchObject({ quarters: 100, hours: 100 });
  });

  it.each([
    ['days=5d', /expected a list such as .*got "days=5d"/],
    ['quarters=5', /expected a list/],
    ['quarters=35d,,hours=never', /got ""/],
    ['quarters=6d', /expected 7d to 36500d or never for quarters, got "6d"/],
    ['quarters=99999d', /never for quarters/],
    ['quarters=35d,quarters=36d', /quarters is there twice/],
    ['affected=30d', /affected is 30d, shorter than CASEBOOK_RETENTION_DAYS \(90\)/],
    ['affected=200d,incidents=100d', /incidents is shorter than affected/],
    ['quarters=never,hours=100d', /hours is shorter than quarters/],
  ])('refuses %s', (text, message) => expect(parseRetention(text, 90)).toMatch(message));
});

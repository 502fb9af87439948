import { describe, expect, it } from 'vitest';
import { FailedTokens } from './failed-tokens.js';

const fail = (failed: FailedTokens, count: number, address = '10.0.0.1', now = 0): (number | undefined)[] =>
  Array.from({ length: count }, (_, i) => failed.turn(`wrong-${address}-${i}`, address, now));

describe('FailedTokens', () => {
  it('lets 100 wrong tokens of an address be checked at once, and makes the next ones wait longer and longer', () => {
    const failed = new FailedTokens();
    expect(new Set(fail(failed, 100))).toEqual(new Set([0]));
    expect(fail(failed, 7)).toEqual([2000, 4000, 6000, 8000, 10_000, undefined, undefined]);
    expect(failed.turn('later', '10.0.0.1', 6000)).toBe(6000);
    expect(failed.turn('much later', '10.0.0.1', 600_000)).toBe(0);
  });

  it('does not make others wait, nor a token that was good before', () => {
    const failed = new FailedTokens();
    expect(failed.turn('mine', '10.0.0.1', 0)).toBe(0);
    failed.good('mine', '10.0.0.1');
    fail(failed, 200);
    expect(failed.turn('mine', '10.0.0.1', 0)).toBe(0);
    expect(failed.turn('other', '10.0.0.2', 0)).toBe(0);
    failed.notGood('mine');
    expect(failed.turn('mine', '10.0.0.1', 0)).toBeUndefined();
  });

  it('gives the turn of a good token back', () => {
    const failed = new FailedTokens();
    for (let i = 0; i < 1000; i++) {
      expect(failed.turn(`good-${i}`, '10.0.0.1', 0)).toBe(0);
      failed.good(`good-${i}`, '10.0.0.1');
    }
  });

  it('gives nothing back for a token that took no turn', () => {
    const failed = new FailedTokens();
    failed.turn('mine', '10.0.0.1', 0);
    failed.good('mine', '10.0.0.1');
    fail(failed, 100);
    for (let i = 0; i < 100; i++) failed.giveBack('mine', '10.0.0.1');
    expect(failed.turn('wrong', '10.0.0.1', 0)).toBe(2000);
  });

  it('takes the addresses of one IPv6 network for one, however they are written', () => {
    const failed = new FailedTokens();
    for (let i = 0; i < 100; i++) failed.turn(`wrong-${i}`, `2001:db8:0:7::${i.toString(16)}`, 0);
    expect(failed.turn('next', '2001:db8::7:1:2:3:4', 0)).toBe(2000);
    expect(failed.turn('next', '2001:db8:0:8::1', 0)).toBe(0);
    expect(failed.turn('next', '::ffff:10.0.0.1', 0)).toBe(0);
  });

  it('bounds all addresses together, and what it remembers', () => {
    const failed = new FailedTokens();
    const waits = Array.from({ length: 30_000 }, (_, i) => failed.turn(`wrong-${i}`, `10.0.${i >> 8}.${i & 255}`, 0));
    expect(waits.slice(0, 2000).every((wait) => wait === 0)).toBe(true);
    expect(waits[2000]).toBe(20);
    expect(waits.at(-1)).toBeUndefined();
    const later = new FailedTokens();
    for (let i = 0; i < 30_000; i++) later.turn(`wrong-${i}`, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, i * 1000);
    expect(later.size).toBe(10_000);
  });
});

import { describe, expect, it } from 'vitest';
import { FailedTokens } from './failed-tokens.js';

const waitOf = (failed: FailedTokens, address = '10.0.0.1', now = 0): number | undefined => failed.turn(address, now, true)?.wait;
const fail = (failed: FailedTokens, count: number, address = '10.0.0.1', now = 0): (number | undefined)[] =>
  Array.from({ length: count }, () => waitOf(failed, address, now));
const addressOf = (i: number): string => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

describe('FailedTokens', () => {
  it('lets 100 wrong tokens of an address be checked at once, and makes the next ones wait longer and longer', () => {
    const failed = new FailedTokens();
    expect(new Set(fail(failed, 100))).toEqual(new Set([0]));
    expect(fail(failed, 7)).toEqual([2000, 4000, 6000, 8000, 10_000, undefined, undefined]);
    expect(waitOf(failed, '10.0.0.1', 6000)).toBe(6000);
    expect(waitOf(failed, '10.0.0.1', 600_000)).toBe(0);
    expect(waitOf(failed, '10.0.0.2')).toBe(0);
  });

  it('knows what was good, until it is not', () => {
    const failed = new FailedTokens();
    expect(failed.isGood('mine')).toBe(false);
    failed.good('mine');
    expect(failed.isGood('mine')).toBe(true);
    failed.notGood('mine');
    expect(failed.isGood('mine')).toBe(false);
    for (let i = 0; i <= 20_000; i++) failed.good(`good-${i}`);
    expect([failed.isGood('good-0'), failed.isGood('good-1'), failed.isGood('good-20000')]).toEqual([false, true, true]);
  });

  it('takes turns back, also of many that were taken at the same time', () => {
    const failed = new FailedTokens();
    for (let round = 0; round < 50; round++) {
      const turns = Array.from({ length: 100 }, () => failed.turn('10.0.0.1', 0, true));
      expect(turns.every((turn) => turn?.wait === 0)).toBe(true);
      for (const turn of turns) turn?.giveBack();
    }
  });

  it('takes the addresses of one IPv6 network for one, however they are written', () => {
    const failed = new FailedTokens();
    for (let i = 0; i < 100; i++) waitOf(failed, `2001:db8:0:7::${i.toString(16)}`);
    expect(waitOf(failed, '2001:db8::7:1:2:3:4')).toBe(2000);
    expect(waitOf(failed, '2001:db8:0:8::1')).toBe(0);
    expect(waitOf(failed, '::ffff:10.0.0.1')).toBe(0);
  });

  it('bounds all addresses together where a token could be guessed, and nobody else waits for that', () => {
    const failed = new FailedTokens();
    const waits = Array.from({ length: 5_000 }, (_, i) => waitOf(failed, addressOf(i)));
    expect(waits.slice(0, 2000).every((wait) => wait === 0)).toBe(true);
    expect(waits[2000]).toBe(20);
    expect(waits.at(-1)).toBeUndefined();
    expect(failed.turn('192.0.2.1', 0, false)?.wait).toBe(0);
  });

  it('bounds what it remembers', () => {
    const failed = new FailedTokens();
    for (let i = 0; i < 30_000; i++) failed.turn(addressOf(i), i * 1000, true);
    expect(failed.size).toBe(10_000);
  });
});

import { describe, expect, it } from 'vitest';
import { backOff, readRetryAfter } from './back-off.js';
import { judgeAnswer } from './judge-answer.js';

describe('judgeAnswer', () => {
  it('takes any 2xx for success, 3xx and most of 4xx for the end, and the rest for a reason to try again', () => {
    const results = [200, 202, 204, 301, 307, 400, 401, 404, 410, 408, 425, 429, 500, 502, 503].map(
      (status) => judgeAnswer('generic', { status, body: '' }).result,
    );
    expect(results).toEqual([...Array(3).fill('delivered'), ...Array(6).fill('dead'), ...Array(6).fill('retry')]);
    expect(judgeAnswer('generic', { status: 302, body: '' }).error).toContain('redirects are not followed');
  });

  it('reads in the answers of chat services what became of the message', () => {
    const ask = (preset: 'wecom' | 'dingtalk' | 'feishu', body: object) =>
      judgeAnswer(preset, { status: 200, body: JSON.stringify(body) }).result;
    expect(ask('wecom', { errcode: 0, errmsg: 'ok' })).toBe('delivered');
    expect(ask('wecom', { errcode: 93000, errmsg: 'invalid webhook url' })).toBe('dead');
    expect(ask('wecom', { errcode: 45009, errmsg: 'api freq out of limit' })).toBe('retry');
    expect(ask('dingtalk', { errcode: 310000, errmsg: 'sign not match' })).toBe('dead');
    expect(ask('dingtalk', { errcode: 130101, errmsg: 'send too fast' })).toBe('retry');
    expect(ask('feishu', { code: 0, msg: 'success' })).toBe('delivered');
    expect(ask('feishu', { StatusCode: 0, StatusMessage: 'success' })).toBe('delivered');
    expect(ask('feishu', { code: 19021, msg: 'sign match fail' })).toBe('dead');
    expect(ask('feishu', { code: 11232, msg: 'frequency limited' })).toBe('retry');
    for (const body of ['{"code": 190', '<html>Sign in</html>', '{}', ''])
      expect(judgeAnswer('feishu', { status: 200, body })).toEqual({ result: 'retry', error: expect.stringContaining('no code') });
  });
});

describe('backOff', () => {
  it('doubles, spreads by a fifth, and stops growing at an hour', () => {
    expect([1, 2, 3, 4].map((attempt) => backOff(attempt, 5000, 0.5, undefined))).toEqual([5000, 10_000, 20_000, 40_000]);
    expect([backOff(1, 5000, 0, undefined), backOff(1, 5000, 1, undefined)]).toEqual([4000, 6000]);
    expect(backOff(60, 5000, 0.5, undefined)).toBe(3_600_000);
  });

  it('waits for as long as it is asked to, within six hours', () => {
    expect([backOff(1, 5000, 0.5, 30_000), backOff(3, 5000, 0.5, 1000), backOff(1, 5000, 0.5, 1e12)]).toEqual([30_000, 20_000, 21_600_000]);
  });
});

describe('readRetryAfter', () => {
  it('reads seconds and dates', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    expect(readRetryAfter('120', now)).toBe(120_000);
    expect(readRetryAfter('Sat, 21 Nov 2026 10:00:30 GMT', now)).toBe(30_000);
    expect([readRetryAfter(undefined, now), readRetryAfter('soon', now)]).toEqual([undefined, undefined]);
  });
});

import { describe, expect, it } from 'vitest';
import { inWords } from './in-words.js';
import type { Heard } from './judge-cluster.js';
import { judgeCluster } from './judge-cluster.js';

const MINUTE = 60_000;
const NOW = Date.parse('2026-03-02T12:00:00Z');
const ago = (minutes: number): number => NOW - minutes * MINUTE;

/** A cluster that is heard every minute and was heard some minutes ago. */
function heard(minutes: number, said: Partial<Heard> = {}): Heard {
  return {
    suspended: false,
    lastHeardAt: ago(minutes),
    silenceAfter: 'auto',
    usualPause: null,
    wellKnown: true,
    watch: null,
    listeningSince: 0,
    silentSince: null,
    ...said,
  };
}

const judged = (of: Heard) => {
  const { reason, ...rest } = judgeCluster(of, NOW);
  return { ...rest, reason: reason.en };
};
const status = (of: Heard) => judged(of).status;
const watch = (minutes: number, error: string | null = null) => ({
  aliveAt: ago(minutes),
  state: error ? 'backing-off' : 'watching',
  error,
});

describe('judgeCluster', () => {
  it('calls one talking, quiet and silent by how long ago it was heard', () => {
    expect([0, 5, 6, 9.9, 10].map((minutes) => status(heard(minutes)))).toEqual(['TALKING', 'TALKING', 'QUIET', 'QUIET', 'SILENT']);
    expect(judged(heard(12))).toEqual({
      status: 'SILENT',
      reason: 'No event has come for 12 minutes; it does not usually pause for a minute, so 10 minutes are allowed.',
      silentAt: ago(2),
    });
  });

  it('allows three times the usual longest pause', () => {
    expect(status(heard(44, { usualPause: 15 * MINUTE }))).toBe('QUIET');
    expect(status(heard(45, { usualPause: 15 * MINUTE }))).toBe('SILENT');
  });

  it('takes what was set for the cluster, also when little is known of it', () => {
    expect(status(heard(3, { silenceAfter: 2 * MINUTE, wellKnown: false }))).toBe('SILENT');
    expect(judged(heard(10_000, { silenceAfter: 0 }))).toMatchObject({ status: 'QUIET', silentAt: null });
    expect(judged(heard(10_000, { wellKnown: false }))).toMatchObject({ status: 'QUIET', silentAt: null });
  });

  it('does not count the time before it listened', () => {
    expect(judged(heard(500, { listeningSince: ago(9) }))).toMatchObject({
      status: 'QUIET',
      silentAt: NOW + MINUTE,
      reason: expect.stringContaining('did not listen'),
    });
    expect(status(heard(500, { listeningSince: ago(10) }))).toBe('SILENT');
  });

  it('keeps to what is raised until something is heard', () => {
    const raised = { silentSince: ago(500), listeningSince: ago(1), wellKnown: false };
    expect(status(heard(500, raised))).toBe('SILENT');
    expect(status(heard(1, raised))).toBe('TALKING');
    expect(status(heard(500, { ...raised, silenceAfter: 0 }))).toBe('QUIET');
    expect(status(heard(500, { ...raised, suspended: true }))).toBe('SUSPENDED');
  });

  it('takes a working watch for a sign of life, and a broken one for silence after ten minutes', () => {
    expect(judged(heard(500, { watch: watch(0) }))).toMatchObject({
      status: 'QUIET',
      reason: expect.stringContaining('nothing happens there'),
    });
    expect(status(heard(500, { watch: watch(9, 'refused'), usualPause: 60 * MINUTE }))).toBe('QUIET');
    expect(judged(heard(500, { watch: watch(10, 'connection refused.'), usualPause: 60 * MINUTE }))).toMatchObject({
      status: 'SILENT',
      reason:
        'No event has come for 8 hours 20 minutes, and the watch over it does not work: connection refused; a watch may be down for 10 minutes.',
    });
    expect(status(heard(1, { watch: watch(500, 'refused') }))).toBe('TALKING');
  });

  it('says of one that was never heard what is known of it', () => {
    const never = { lastHeardAt: null };
    expect(judged(heard(0, never))).toEqual({ status: 'NEVER_HEARD', reason: 'It has never sent an event.', silentAt: null });
    const broken = { aliveAt: null, state: 'backing-off', error: 'forbidden' };
    expect(judged(heard(0, { ...never, watch: broken }))).toMatchObject({
      status: 'NEVER_HEARD',
      reason: 'The watch over it has never worked: forbidden.',
    });
    expect(status(heard(0, { ...never, watch: watch(0) }))).toBe('QUIET');
    expect(status(heard(0, { ...never, watch: watch(11) }))).toBe('SILENT');
  });
});

describe('the reason of a judgement', () => {
  it('is told in Chinese too', () => {
    const reason = (of: Heard) => judgeCluster(of, NOW).reason.zh;
    expect(reason(heard(12))).toBe('已有 12 分钟没有收到事件；它通常不会停顿一分钟，因此允许 10 分钟。');
    expect(reason(heard(1))).toBe('1 分钟前收到过事件。');
    expect(reason(heard(7, { wellKnown: false }))).toBe('已有 7 分钟没有收到事件；目前还无法判断这是否正常。');
    expect(reason(heard(500, { watch: watch(10, 'connection refused.') }))).toBe(
      '已有 8 小时 20 分钟没有收到事件，且对它的监听不可用：connection refused；监听最多可中断 10 分钟。',
    );
    // What an API server said stays as it said it; all else is Chinese, whatever the case.
    const cases = [
      heard(1, { suspended: true }),
      heard(0, { lastHeardAt: null }),
      heard(0, { lastHeardAt: null, watch: { aliveAt: null, state: 'x', error: null } }),
      heard(500, { watch: watch(0) }),
      heard(500, { listeningSince: ago(9) }),
      heard(7, { silenceAfter: 2 * MINUTE }),
      heard(44, { usualPause: 15 * MINUTE }),
      heard(0, { lastHeardAt: null, watch: watch(11) }),
    ];
    for (const each of cases) expect(reason(each)).toMatch(/^[^A-Za-z]*(Casebook|x|watching)?[^A-Za-z]*。$/);
  });
});

describe('inWords', () => {
  it.each([
    [0, '0 seconds'],
    [1_000, '1 second'],
    [61_000, '1 minute 1 second'],
    [3_600_000, '1 hour'],
    [12_000_000, '3 hours 20 minutes'],
    [90_061_000, '1 day 1 hour'],
    [-5, '0 seconds'],
  ])('says %i ms as %s', (length, words) => expect(inWords(length)).toBe(words));

  it('says it in Chinese', () => {
    expect([0, 1_000, 12_000_000, 90_061_000].map((length) => inWords(length, 'zh'))).toEqual([
      '0 秒',
      '1 秒',
      '3 小时 20 分钟',
      '1 天 1 小时',
    ]);
  });
});

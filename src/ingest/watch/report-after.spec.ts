import { describe, expect, it } from 'vitest';
import type { WatchReport } from '../../store/watch-lease.js';
import type { WatchState } from './followed-cluster.js';
import { reportAfter } from './report-after.js';

const begun: WatchReport = { phase: 'connecting', since: 1, server: null, error: null, unfollowed: [] };
const refused: WatchState = { phase: 'waiting', code: 'UNAUTHORIZED', message: 'no', delayMs: 500, failures: 1 };

/** What is reported after states that are told at 10, 20, 30 ... */
function after(...states: WatchState[]): WatchReport {
  return states.reduce<WatchReport>((report, state, i) => ({ ...report, ...reportAfter(report, state, (i + 1) * 10) }), begun);
}

describe('reportAfter', () => {
  it('follows a watch that is well', () => {
    expect(after({ phase: 'listing', because: 'first' })).toMatchObject({ phase: 'listing', since: 10, error: null });
    expect(after({ phase: 'listing', because: 'first' }, { phase: 'watching', position: '5' })).toMatchObject({
      phase: 'watching',
      since: 20,
    });
  });

  it('keeps the error in sight, and since when, while the watch tries again', () => {
    const trying = after(refused, { phase: 'connecting' }, { phase: 'listing', because: 'first' }, refused, {
      phase: 'listing',
      because: 'first',
    });
    expect(trying).toMatchObject({ phase: 'backing-off', since: 10, error: { code: 'UNAUTHORIZED', message: 'no', at: 40 } });
  });

  it('forgets the error once the watch is well', () => {
    expect(after(refused, { phase: 'watching', position: '5' })).toMatchObject({ phase: 'watching', since: 20, error: null });
  });

  it('does not begin anew what goes on', () => {
    expect(after({ phase: 'watching', position: '5' }, { phase: 'watching', position: '6' })).toMatchObject({
      phase: 'watching',
      since: 10,
    });
  });
});

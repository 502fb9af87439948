import type { WatchReport } from '../../store/watch-lease.js';
import type { WatchState } from './followed-cluster.js';

const PHASES = { connecting: 'connecting', listing: 'listing', watching: 'watching', waiting: 'backing-off', stopped: 'stopped' } as const;

/**
 * What is reported of a watch after a change of its state at `now`, milliseconds since the epoch. A phase that was reported already
 * keeps its beginning, and an error stays in sight until the watch is well again: between two attempts it is what one wants to know.
 */
export function reportAfter(before: WatchReport, state: WatchState, now: number): Pick<WatchReport, 'phase' | 'since' | 'error'> {
  const reported = PHASES[state.phase];
  const trying = before.phase === 'backing-off' && (reported === 'connecting' || reported === 'listing');
  const phase = trying ? 'backing-off' : reported;
  const error =
    state.phase === 'waiting' ? { code: state.code, message: state.message, at: now } : phase === 'watching' ? null : before.error;
  return { phase, since: phase === before.phase ? before.since : now, error };
}

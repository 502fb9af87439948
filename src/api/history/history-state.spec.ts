import { describe, expect, it } from 'vitest';
import type { HistoryState } from './history-state.js';
import { historyState } from './history-state.js';

const [from, to] = [1000, 2000];

describe('historyState', () => {
  it.each<[HistoryState, number | null, boolean, boolean]>([
    ['NEW', 1000, true, false],
    ['CAME_BACK', 999, true, false],
    ['ONGOING', 999, true, true],
    ['QUIET', 999, false, true],
    ['QUIET', 999, false, false],
    ['NEVER_SEEN', null, false, false],
    ['NEVER_SEEN', 2000, false, false],
  ])('is %s when it was first seen at %s, in the range: %s, in the period before: %s', (state, firstSeenAt, inRange, inPrevious) => {
    expect(historyState({ from, to, firstSeenAt, inRange, inPrevious })).toBe(state);
  });

  it.each<[HistoryState, number | null, boolean, boolean]>([
    ['NEW', null, true, false],
    ['NEW', 2000, true, false],
    ['ONGOING', null, true, true],
    ['ONGOING', 1500, true, true],
    ['QUIET', null, false, true],
    ['QUIET', 2000, false, true],
  ])('is %s by what happened when no incident of it is kept, or none before %s', (state, firstSeenAt, inRange, inPrevious) => {
    expect(historyState({ from, to, firstSeenAt, inRange, inPrevious })).toBe(state);
  });
});

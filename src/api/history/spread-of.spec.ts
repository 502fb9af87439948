import { describe, expect, it } from 'vitest';
import { spreadsOf } from './spread-of.js';

const arrivals = (problemId: string, ...told: [string, number][]) => told.map(([cluster, at]) => ({ problemId, cluster, at }));
const shown = (list: ReturnType<typeof spreadsOf>) =>
  list.map(({ problemId, arrivals: all }) => [problemId, ...all.map(({ cluster, at }) => `${cluster}@${at}`)]);

describe('spreadsOf', () => {
  it('names the clusters in the order of arrival', () => {
    expect(shown(spreadsOf(arrivals('p', ['b', 5], ['c', 9], ['a', 1]), 10, 2))).toEqual([['p', 'a@1', 'b@5', 'c@9']]);
  });

  it('counts what lies within the window, its ends included, and no more', () => {
    expect(shown(spreadsOf(arrivals('p', ['a', 0], ['b', 10]), 10, 2))).toEqual([['p', 'a@0', 'b@10']]);
    expect(spreadsOf(arrivals('p', ['a', 0], ['b', 11]), 10, 2)).toEqual([]);
  });

  it('takes the window with the most clusters, of equals the latest', () => {
    const told = arrivals('p', ['a', 0], ['b', 5], ['a', 100], ['b', 103], ['c', 108], ['d', 200], ['e', 201], ['f', 202]);
    expect(shown(spreadsOf(told, 10, 2))).toEqual([['p', 'd@200', 'e@201', 'f@202']]);
  });

  it('counts a cluster once, however often it comes back', () => {
    expect(spreadsOf(arrivals('p', ['a', 0], ['a', 1], ['a', 2]), 10, 2)).toEqual([]);
    expect(shown(spreadsOf(arrivals('p', ['a', 0], ['a', 1], ['b', 2]), 10, 2))).toEqual([['p', 'a@0', 'b@2']]);
  });

  it('puts the widest first', () => {
    const told = [...arrivals('few', ['a', 50], ['b', 51]), ...arrivals('many', ['a', 0], ['b', 1], ['c', 2])];
    expect(spreadsOf(told, 10, 2).map(({ problemId }) => problemId)).toEqual(['many', 'few']);
    expect(spreadsOf(told, 10, 3).map(({ problemId }) => problemId)).toEqual(['many']);
  });
});

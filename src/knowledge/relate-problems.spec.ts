import { describe, expect, it } from 'vitest';
import { problemOf } from '../../test/support/problem-of.js';
import type { Problem } from './problem.js';
import { relateProblems } from './relate-problems.js';

function related(...entries: [string, Problem['related']][]): {
  problems: Map<string, Problem>;
  mistakes: ReturnType<typeof relateProblems>;
} {
  const problems = new Map(entries.map(([id, relations]) => [id, problemOf(id, { related: relations })]));
  return { mistakes: relateProblems(problems), problems };
}

describe('relateProblems', () => {
  it('adds the other side of each relation once', () => {
    const { problems, mistakes } = related(
      [
        'kubernetes/a/a',
        [
          { id: 'kubernetes/a/b', as: 'cause' },
          { id: 'kubernetes/a/c', as: 'similar' },
        ],
      ],
      ['kubernetes/a/b', [{ id: 'kubernetes/a/a', as: 'effect' }]],
      ['kubernetes/a/c', []],
    );
    expect(mistakes).toEqual([]);
    expect(problems.get('kubernetes/a/b')!.related).toEqual([{ id: 'kubernetes/a/a', as: 'effect' }]);
    expect(problems.get('kubernetes/a/c')!.related).toEqual([{ id: 'kubernetes/a/a', as: 'similar' }]);
  });

  it('names relations to nothing and to itself', () => {
    const { mistakes } = related([
      'kubernetes/a/a',
      [
        { id: 'kubernetes/a/x', as: 'cause' },
        { id: 'kubernetes/a/a', as: 'similar' },
      ],
    ]);
    expect(mistakes.map(({ index, message }) => `${index} ${message}`)).toEqual([
      '0 there is no problem "kubernetes/a/x"',
      '1 a problem is not related to itself',
    ]);
  });

  it('names a circle of causes', () => {
    const { mistakes } = related(
      ['kubernetes/a/a', [{ id: 'kubernetes/a/b', as: 'cause' }]],
      ['kubernetes/a/b', [{ id: 'kubernetes/a/c', as: 'cause' }]],
      ['kubernetes/a/c', [{ id: 'kubernetes/a/a', as: 'cause' }]],
    );
    expect(mistakes.map(({ message }) => message)).toEqual([
      'causes go in a circle: kubernetes/a/a <- kubernetes/a/b <- kubernetes/a/c <- kubernetes/a/a',
    ]);
  });
});

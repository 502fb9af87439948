import { describe, expect, it } from 'vitest';
import { problemOf } from '../../test/support/problem-of.js';
import { compileMatcher } from './compile-matcher.js';
import { explainMatch } from './explain-match.js';

describe('explainMatch', () => {
  it('tells of every candidate, its rules and why it is not reported', () => {
    const matcher = compileMatcher([
      problemOf('kubernetes/a/failed', { fallback: true, recognise: [{ reason: 'Failed' }] }),
      problemOf('kubernetes/a/pull', { recognise: [{ message: 'pull image {image}' }, { reason: 'Failed', message: 'image' }] }),
      problemOf('kubernetes/a/else', { recognise: [{ message: 'something else' }] }),
    ]);
    const event = {
      reason: 'Failed',
      type: 'Warning',
      reporter: 'kubelet',
      message: '(combined from similar events): Cannot pull image "x", exit code 137',
      object: { kind: 'Pod' },
    };
    expect(explainMatch(matcher, event)).toEqual({
      message: 'Cannot pull image "x", exit code 137',
      code: undefined,
      exitCodes: [137],
      candidates: [
        {
          problem: 'kubernetes/a/pull',
          fallback: false,
          basis: 'text',
          score: 10.5,
          rules: [
            { index: 0, matchedOn: 'text "pull image {image}" on Pod', score: 10.5 },
            { index: 1, matchedOn: 'text "image" on Pod, reason Failed', score: 9.5 },
          ],
          captured: { image: 'x' },
          dropped: undefined,
        },
        {
          problem: 'kubernetes/a/failed',
          fallback: true,
          basis: 'reason',
          score: 4.5,
          rules: [{ index: 0, matchedOn: 'reason Failed on Pod', score: 4.5 }],
          captured: {},
          dropped: 'fallback beside kubernetes/a/pull',
        },
      ],
      diagnoses: [
        { problem: 'kubernetes/a/pull', confidence: 0.72, matchedOn: 'text "pull image {image}" on Pod', captured: { image: 'x' } },
      ],
    });
  });
});

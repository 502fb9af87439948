import { describe, expect, it } from 'vitest';
import { parseWatchedContexts } from './parse-watched-contexts.js';

describe('parseWatchedContexts', () => {
  it('reads pairs, and a context alone as a cluster of that name', () => {
    expect(parseWatchedContexts('kubernetes-admin@kubernetes=prod-1, arn:aws:eks:eu-west-1:1:cluster/b=prod-2,staging,')).toEqual([
      { context: 'kubernetes-admin@kubernetes', cluster: 'prod-1' },
      { context: 'arn:aws:eks:eu-west-1:1:cluster/b', cluster: 'prod-2' },
      { context: 'staging', cluster: 'staging' },
    ]);
  });

  it('takes one context for two clusters, but not one cluster twice', () => {
    expect(parseWatchedContexts('a=x,a=y')).toHaveLength(2);
    expect(parseWatchedContexts('a=x,b=x')).toBe('cluster "x" comes twice');
  });

  it.each([
    [',', 'expected context=cluster pairs, separated by commas'],
    ['=prod', 'expected the name of a context before "=" in "=prod"'],
    ['admin@prod', '"admin@prod" is no name of a cluster (letters, digits, ".", "_" and "-"); write "admin@prod=<cluster>"'],
    ['a=', '"" is no name of a cluster (letters, digits, ".", "_" and "-"); write "a=<cluster>"'],
  ])('says what is wrong with %s', (value, expected) => expect(parseWatchedContexts(value)).toBe(expected));
});

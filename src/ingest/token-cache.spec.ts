import { describe, expect, it } from 'vitest';
import { TokenCache } from './token-cache.js';

describe('TokenCache', () => {
  it('remembers a value until it expires', () => {
    const cache = new TokenCache<string>(10, 5);
    cache.set('a', 'x', 100);
    expect([cache.get('a', 100), cache.get('a', 109), cache.get('a', 110), cache.get('a', 105)]).toEqual(['x', 'x', undefined, undefined]);
  });

  it('drops the oldest when it is full', () => {
    const cache = new TokenCache<number>(10, 2);
    for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) cache.set(key, i, 0);
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 1))).toEqual([2, undefined, 3]);
  });

  it('forgets on demand', () => {
    const cache = new TokenCache<number>(10, 2);
    cache.set('a', 1, 0);
    cache.delete('a');
    expect(cache.get('a', 1)).toBeUndefined();
  });
});

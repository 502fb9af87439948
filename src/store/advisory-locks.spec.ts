import { describe, expect, it } from 'vitest';
import { ADVISORY_LOCKS } from './advisory-locks.js';

describe('ADVISORY_LOCKS', () => {
  it('gives each job a key of its own', () => {
    const keys = Object.values(ADVISORY_LOCKS);
    expect([...new Set(keys)]).toEqual(keys);
  });
});

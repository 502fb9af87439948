import { describe, expect, it } from 'vitest';
import { wireHeaders } from './wire-headers.js';

describe('wireHeaders', () => {
  it('passes on what says what a body is, and no secret', () => {
    const headers = { Authorization: 'Bearer x', 'Content-Type': 'text/plain', 'CE-Type': 't', cookie: 'c', 'ce-list': ['a', 'b'] };
    expect(wireHeaders(headers)).toEqual({ 'content-type': 'text/plain', 'ce-type': 't' });
  });

  it('is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`ce-${i}`, 'x'.repeat(5_000)]));
    const picked = Object.values(wireHeaders(many));
    expect([picked.length, picked[0]?.length]).toEqual([64, 1024]);
  });
});

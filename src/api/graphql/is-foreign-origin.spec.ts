import { describe, expect, it } from 'vitest';
import { isForeignOrigin } from './is-foreign-origin.js';

describe('isForeignOrigin', () => {
  it('is false for programs, which name no origin, and for pages of this host', () => {
    expect(isForeignOrigin({ host: '127.0.0.1:4000' })).toBe(false);
    expect(isForeignOrigin({ origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' })).toBe(false);
  });

  it('is true for another host or port, and for an origin that is none', () => {
    expect(isForeignOrigin({ origin: 'https://evil.example', host: '127.0.0.1:4000' })).toBe(true);
    expect(isForeignOrigin({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:4000' })).toBe(true);
    expect(isForeignOrigin({ origin: 'null', host: '127.0.0.1:4000' })).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { isForeignPage } from './is-foreign-page.js';

describe('isForeignPage', () => {
  it('is false for programs, which name no origin, and for pages of this host', () => {
    expect(isForeignPage({ host: '127.0.0.1:4000' })).toBe(false);
    expect(isForeignPage({ origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' })).toBe(false);
  });

  it('is true for another host or port, and for an origin that is none', () => {
    expect(isForeignPage({ origin: 'https://evil.example', host: '127.0.0.1:4000' })).toBe(true);
    expect(isForeignPage({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:4000' })).toBe(true);
    expect(isForeignPage({ origin: 'null', host: '127.0.0.1:4000' })).toBe(true);
  });

  it('believes the browser about where the page is from, behind a proxy that changes the host too', () => {
    expect(isForeignPage({ 'sec-fetch-site': 'same-origin', origin: 'https://casebook.example', host: 'casebook:4000' })).toBe(false);
    expect(isForeignPage({ 'sec-fetch-site': 'none', host: '127.0.0.1:4000' })).toBe(false);
    expect(isForeignPage({ 'sec-fetch-site': 'cross-site', host: '127.0.0.1:4000' })).toBe(true);
    expect(isForeignPage({ 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000', host: 'localhost:4000' })).toBe(true);
  });
});

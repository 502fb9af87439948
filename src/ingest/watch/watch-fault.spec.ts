import { describe, expect, it } from 'vitest';
import { faultOfAnswer, faultOfConnection, freshPageToken, saysObjectIsGone, WatchFault } from './watch-fault.js';

const status = (code: number, reason: string, message: string, details?: object) => ({
  kind: 'Status',
  apiVersion: 'v1',
  code,
  reason,
  message,
  details,
});
const answer = (code: number, body: unknown, retryAfter?: string) =>
  faultOfAnswer({ status: code, body, retryAfter, asked: 'list of Events' });

describe('faultOfAnswer', () => {
  it.each([
    [410, 'EXPIRED'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [429, 'THROTTLED'],
    [500, 'SERVER_ERROR'],
    [503, 'SERVER_ERROR'],
    [404, 'UNEXPECTED_ANSWER'],
    [302, 'UNEXPECTED_ANSWER'],
  ])('takes %i for %s', (code, expected) => {
    expect(answer(code, status(code, 'x', 'y')).code).toBe(expected);
  });

  it('knows a server that lost its state by either of its texts', () => {
    const message = 'Too large resource version: 50, current: 3';
    expect(answer(504, status(504, 'Timeout', message, { causes: [{ reason: 'ResourceVersionTooLarge' }] })).code).toBe('EXPIRED');
    expect(answer(504, status(504, 'Timeout', message)).code).toBe('EXPIRED');
    expect(answer(504, status(504, 'Timeout', 'the request did not complete in time')).code).toBe('SERVER_ERROR');
  });

  it('says what the server said, in one line and without secrets', () => {
    expect(answer(403, status(403, 'Forbidden', 'events is forbidden')).message).toBe(
      'The API server answered 403 to the list of Events: events is forbidden',
    );
    expect(answer(500, status(500, '', 'bad\nheader Bearer abc.def.1234')).message).toContain('bad header Bearer ***');
    // What is told is stored as jsonb, which takes no NUL.
    expect(answer(500, status(500, '', 'a\0b\x1b[31m')).message).toMatch(/: a b \[31m$/);
    expect(answer(502, '<html>').message).toBe('The API server answered 502 to the list of Events: no more was said');
  });

  it('keeps to the time that the server asks for', () => {
    expect(answer(429, status(429, 'TooManyRequests', 'x'), '7').retryAfterMs).toBe(7000);
    expect(answer(429, status(429, 'TooManyRequests', 'x', { retryAfterSeconds: 3 })).retryAfterMs).toBe(3000);
    expect(answer(429, status(429, 'TooManyRequests', 'x'), 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterMs).toBeUndefined();
  });
});

describe('faultOfConnection', () => {
  const coded = (code: string, message = 'said') => Object.assign(new Error(message), { code });

  it('tells a certificate that is not accepted from a network that is down', () => {
    expect(faultOfConnection(coded('ECONNREFUSED'), 'watch').code).toBe('NETWORK');
    expect(faultOfConnection(coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'watch').code).toBe('TLS');
    expect(faultOfConnection(coded('CERT_HAS_EXPIRED'), 'watch').code).toBe('TLS');
    expect(faultOfConnection(coded('UND_ERR_HEADERS_TIMEOUT'), 'watch').code).toBe('SILENT');
  });

  it('finds what lies at the bottom', () => {
    const outer = new TypeError('fetch failed', { cause: new AggregateError([coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')]) });
    expect(faultOfConnection(outer, 'watch').message).toBe('The watch failed: connect ECONNREFUSED 127.0.0.1:1');
  });

  it('leaves a fault as it is', () => {
    const fault = new WatchFault('SILENT', 'x');
    expect(faultOfConnection(fault, 'watch')).toBe(fault);
  });
});

describe('saysObjectIsGone', () => {
  it('believes only a NotFound of that very object', () => {
    const gone = status(404, 'NotFound', 'pods "web" not found', { name: 'web', kind: 'pods' });
    expect(saysObjectIsGone(404, gone, 'web')).toBe(true);
    expect(saysObjectIsGone(404, gone, 'other')).toBe(false);
    expect(saysObjectIsGone(404, status(404, 'NotFound', 'the server could not find the requested resource', {}), 'web')).toBe(false);
    expect(saysObjectIsGone(404, '404 page not found', 'web')).toBe(false);
    expect(saysObjectIsGone(403, gone, 'web')).toBe(false);
  });
});

describe('freshPageToken', () => {
  it('is taken out of the answer to an expired one', () => {
    expect(freshPageToken({ kind: 'Status', code: 410, metadata: { continue: 'abc' } })).toBe('abc');
    expect(freshPageToken({ kind: 'Status', code: 410, metadata: {} })).toBeUndefined();
    expect(freshPageToken('nothing')).toBeUndefined();
  });
});

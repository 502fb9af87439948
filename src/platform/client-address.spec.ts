import { describe, expect, it } from 'vitest';
import { readClientAddress } from './client-address.js';

const from = (remoteAddress: string | undefined, forwarded?: string | string[], trusted = ['10.0.0.0/8', '::1/128']): string =>
  readClientAddress(trusted)({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } });

describe('readClientAddress', () => {
  it('takes the word of trusted proxies alone', () => {
    expect(from('10.0.0.1', '203.0.113.5')).toBe('203.0.113.5');
    expect(from('203.0.113.9', '203.0.113.5')).toBe('203.0.113.9');
    expect(from('10.0.0.1', '203.0.113.5', [])).toBe('10.0.0.1');
    expect(from('10.0.0.1')).toBe('10.0.0.1');
    expect(from('::1', '2001:DB8:0::5')).toBe('2001:db8::5');
  });

  it('believes nothing that stands before an address that is not trusted', () => {
    expect(from('10.0.0.1', '198.51.100.1, 203.0.113.5')).toBe('203.0.113.5');
    expect(from('10.0.0.1', '10.0.0.9, 127.0.0.1, 203.0.113.5')).toBe('203.0.113.5');
    expect(from('10.0.0.1', '198.51.100.1, 203.0.113.5, 10.0.0.2')).toBe('203.0.113.5');
    expect(from('10.0.0.1', ['198.51.100.1', '203.0.113.5'])).toBe('203.0.113.5');
  });

  it('takes the farthest when all are trusted', () => {
    expect(from('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  });

  it.each(['', 'unknown', '_hidden', '1.2.3', '0x7f.1', '203.0.113.5, ', '203.0.113.5, unix:', '[::1', '203.0.113.5:80:80'])(
    'takes the proxy itself for a client that it does not tell: %j',
    (forwarded) => {
      expect(from('10.0.0.1', forwarded)).toBe('10.0.0.1');
    },
  );

  it('knows an address however it is written', () => {
    expect(from('::ffff:10.0.0.1', '203.0.113.5:51324')).toBe('203.0.113.5');
    expect(from('10.0.0.1', '::ffff:203.0.113.5')).toBe('203.0.113.5');
    expect(from('10.0.0.1', '[2001:db8::5]:443')).toBe('2001:db8::5');
    expect(from('10.0.0.1', '[2001:db8:0:0::5]')).toBe('2001:db8::5');
    expect(from('fe80::1%eth0', '203.0.113.5', ['fe80::/10'])).toBe('203.0.113.5');
    expect(from(undefined, '203.0.113.5')).toBe('unknown');
  });
});

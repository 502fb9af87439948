import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.js';
import { parseTrustedProxies } from './parse-trusted-proxies.js';

describe('parseTrustedProxies', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1/32']],
    [' 10.1.0.0/16 , fd00::/8,2001:db8::7,', ['10.1.0.0/16', 'fd00::/8', '2001:db8::7/128']],
    ['loopback', ['127.0.0.0/8', '::1/128']],
    ['private,192.0.2.1', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '192.0.2.1/32']],
    ['', []],
  ])('reads %j', (value, networks) => {
    expect(parseTrustedProxies(value)).toEqual(networks);
  });

  it.each([
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '0x7f.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fd00::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    'ingress.example',
    'true',
    '1',
    'constructor',
    '10.0.0.1 10.0.0.2',
  ])('refuses %j', (value) => {
    expect(parseTrustedProxies(`127.0.0.1,${value}`)).toContain(`${JSON.stringify(value)} is no address such as`);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.1/00'])('does not trust everybody: %j', (value) => {
    expect(parseTrustedProxies(value)).toContain('is everybody');
  });

  it('refuses more than anybody has', () => {
    expect(parseTrustedProxies(Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`).join())).toContain('at most 100');
  });

  it('is told as the fault of its variable at the start', () => {
    expect(() => parseConfig({ CASEBOOK_TRUSTED_PROXIES: '10.0.0.0/40' })).toThrow(
      /CASEBOOK_TRUSTED_PROXIES: "10\.0\.0\.0\/40" is no address/,
    );
    expect(parseConfig({}).trustedProxies).toEqual([]);
    expect(parseConfig({ CASEBOOK_TRUSTED_PROXIES: '127.0.0.1' }).trustedProxies).toEqual(['127.0.0.1/32']);
  });
});

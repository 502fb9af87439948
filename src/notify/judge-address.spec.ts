import { describe, expect, it } from 'vitest';
import { isAllowedHost, refuseAddress, refusePlainHttp } from './judge-address.js';

const NOTHING = { networks: [], hosts: [] };
const isRefused = (address: string): boolean => refuseAddress('hooks.example.com', address, NOTHING) !== undefined;

describe('refuseAddress', () => {
  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '[::1]']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1']],
    ['link-local, and the metadata of clouds in it', ['169.254.169.254', '169.254.0.23', 'fe80::1', 'fe80::1%eth0']],
    ['metadata elsewhere', ['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '192.0.0.192']],
    ['shared by providers', ['100.64.0.1', '100.127.255.255']],
    ['multicast and broadcast', ['224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1']],
    ['reserved, for tests and for documents', ['240.0.0.1', '198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a00:1', '::127.0.0.1', '::ffff:0:127.0.0.1']],
    ['passed on by a relay', ['2002:7f00:1::', '2001:0:1::1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '192.88.99.1']],
    ['of one site', ['fec0::1', '100::1']],
  ])('refuses what is %s', (_, addresses) => {
    expect(addresses.filter((address) => !isRefused(address))).toEqual([]);
  });

  it('lets public addresses pass, IPv4 written as IPv6 too', () => {
    const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '172.15.0.1', '100.63.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];
    expect(open.filter(isRefused)).toEqual([]);
  });

  it('refuses what is no address, and says which range an address is of', () => {
    expect(refuseAddress('h', 'localhost', NOTHING)).toContain('no IP address');
    expect(refuseAddress('h', '10.1.2.3', NOTHING)).toBe('10.1.2.3 is not a public address (private); CASEBOOK_WEBHOOK_ALLOW can allow it');
  });

  it('lets an allowed network or host pass, and nothing beside it', () => {
    const allowed = { networks: ['10.1.0.0/16', 'fd00::/8'], hosts: ['hooks.internal', '*.svc.cluster.local'] };
    expect(refuseAddress('a', '10.1.255.1', allowed)).toBeUndefined();
    expect(refuseAddress('a', '::ffff:10.1.0.1', allowed)).toBeUndefined();
    expect(refuseAddress('a', 'fd12::1', allowed)).toBeUndefined();
    expect(refuseAddress('a', '10.2.0.1', allowed)).toBeDefined();
    expect(refuseAddress('Hooks.Internal.', '10.2.0.1', allowed)).toBeUndefined();
    expect(refuseAddress('x.svc.cluster.local', '10.2.0.1', allowed)).toBeUndefined();
    expect(refuseAddress('evil-hooks.internal', '10.2.0.1', allowed)).toBeDefined();
    expect(isAllowedHost('svc.cluster.local', allowed)).toBe(false);
  });
});

describe('refusePlainHttp', () => {
  it('refuses http to whatever is not allowed by name or network, public or not', () => {
    expect(refusePlainHttp('a', '8.8.8.8', NOTHING)).toContain('plain http');
    expect(refusePlainHttp('a', '10.0.0.1', { networks: ['10.0.0.0/8'], hosts: [] })).toBeUndefined();
    expect(refusePlainHttp('a', '10.0.0.1', { networks: [], hosts: ['a'] })).toBeUndefined();
  });
});

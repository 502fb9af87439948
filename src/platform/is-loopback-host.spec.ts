import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from './is-loopback-host.js';

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'LocalHost:4000',
    'localhost.:4000',
    'casebook.localhost:4000',
    '127.0.0.1:4000',
    '127.8.9.1',
    '[::1]:4000',
    '[::1]',
  ])('is true for %s', (header) => expect(isLoopbackHost(header)).toBe(true));

  it.each([
    'attacker.example:4000',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'notlocalhost',
    '0.0.0.0:4000',
    '192.168.1.5',
    '[::2]',
    '',
  ])('is false for %j', (header) => expect(isLoopbackHost(header)).toBe(false));
});

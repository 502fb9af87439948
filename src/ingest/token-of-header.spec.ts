import { describe, expect, it } from 'vitest';
import { tokenOfHeader } from './token-of-header.js';

const basic = (text: string) => `Basic ${btoa(text)}`;

describe('tokenOfHeader', () => {
  it.each([
    ['Bearer cb_x', 'cb_x'],
    ['bearer   cb_x ', 'cb_x'],
    [basic('casebook:cb_x'), 'cb_x'],
    [basic(':cb_x'), 'cb_x'],
    [basic('a:b:c'), 'b:c'],
    [basic('u:t').replace('Basic', 'basic'), 't'],
  ])('finds the token of %j', (header, token) => {
    expect(tokenOfHeader(header)).toBe(token);
  });

  it('finds one as long as a JSON Web Token with many groups', () => {
    const token = 'e'.repeat(6000);
    expect(tokenOfHeader(basic(`casebook:${token}`))).toBe(token);
  });

  it.each([
    '',
    'Bearer',
    'Bearer a b',
    'Basic',
    'Basic !',
    'Basic a',
    basic('no-colon'),
    basic('user:'),
    basic('u:a b'),
    'Digest x',
    `Basic ${'A'.repeat(2_000)}`,
  ])('finds none in %j', (header) => {
    expect(tokenOfHeader(header)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { parseClientConfig } from './client-config.js';

describe('parseClientConfig', () => {
  it('needs nothing', () => {
    expect(parseClientConfig({ CASEBOOK_URL: '', CASEBOOK_TOKEN: '' }, {})).toEqual({
      url: 'http://127.0.0.1:4000',
      token: undefined,
      warning: undefined,
    });
  });

  it('puts options before the environment', () => {
    const env = { CASEBOOK_URL: 'https://env.example', CASEBOOK_TOKEN: 'of-env' };
    expect(parseClientConfig(env, {})).toMatchObject({ url: 'https://env.example', token: 'of-env' });
    expect(parseClientConfig(env, { url: 'https://option.example/casebook/', token: ' of-option\n' })).toMatchObject({
      url: 'https://option.example/casebook',
      token: 'of-option',
    });
  });

  it.each([
    [{ url: 'casebook' }, '--url: expected an address such as http://127.0.0.1:4000'],
    [{ url: 'ftp://casebook' }, '--url: expected an address such as http://127.0.0.1:4000'],
    [{ url: 'https://a:b@casebook' }, '--url: expected no user or password in it; the token says who you are'],
    [{ token: 'two words' }, 'the token holds spaces or other characters that no token has'],
  ])('refuses %o', (options, message) => expect(() => parseClientConfig({}, options)).toThrow(message));

  it('warns of a token that others can read on its way', () => {
    expect(parseClientConfig({}, { url: 'http://casebook.example', token: 'x' }).warning).toContain('without encryption');
    expect(parseClientConfig({}, { url: 'http://casebook.example' }).warning).toBeUndefined();
    expect(parseClientConfig({}, { url: 'http://[::1]:4000', token: 'x' }).warning).toBeUndefined();
    expect(parseClientConfig({}, { url: 'https://casebook.example', token: 'x' }).warning).toBeUndefined();
  });
});

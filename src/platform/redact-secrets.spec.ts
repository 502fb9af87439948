import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.js';

describe('redactSecrets', () => {
  it('takes the password out of a PostgreSQL address', () => {
    expect(redactSecrets('cannot reach postgresql://casebook:p%40:ss@db:5432/casebook now')).toBe(
      'cannot reach postgresql://casebook:***@db:5432/casebook now',
    );
  });

  it('takes bearer tokens out', () => {
    expect(redactSecrets('{"a":"authorization: bearer abc.DEF-1_2~3"}')).toBe('{"a":"authorization: bearer ***"}');
  });

  it('leaves other texts alone', () => {
    expect(redactSecrets('mail@host https://a:80/b@c bearer')).toBe('mail@host https://a:80/b@c bearer');
  });
});

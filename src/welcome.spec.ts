import { describe, expect, it } from 'vitest';
import { welcome } from './welcome.js';

describe('welcome', () => {
  it('tells where to look and one command to try', () => {
    const said = welcome('http://127.0.0.1:4000', 'none', false);
    for (const page of ['graphql', 'docs', 'problems']) expect(said).toContain(`http://127.0.0.1:4000/${page}\n`);
    expect(said).toMatch(/^ {2}curl -s 'http:\/\/127\.0\.0\.1:4000\/v1\/diagnose' -d '\{[^']+\}'$/m);
    expect(said).not.toContain('Authorization');
  });

  it('puts the token into the command by its variable, never by its value', () => {
    expect(welcome('http://localhost:80', 'required', true)).toContain('-H "Authorization: Bearer $CASEBOOK_ADMIN_TOKEN"');
  });
});

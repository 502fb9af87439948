import { describe, expect, it } from 'vitest';
import { parseOidc } from './parse-oidc.js';
import type { OidcVariables } from './parse-oidc.js';

const GOOD: OidcVariables = {
  CASEBOOK_OIDC_ISSUER: 'https://login.example/realms/a',
  CASEBOOK_OIDC_AUDIENCE: 'casebook, portal',
  CASEBOOK_OIDC_ROLE_MAPPING: 'sre=admin, oncall=operator,*=viewer',
};

describe('parseOidc', () => {
  it('needs none of its variables', () => {
    expect(parseOidc({})).toEqual({ oidc: undefined, problems: [] });
  });

  it('reads them, and takes the last "=" of a pair for the one that divides it', () => {
    const { oidc, problems } = parseOidc({ ...GOOD, CASEBOOK_OIDC_ROLE_MAPPING: 'cn=oncall=operator,*=viewer' });
    expect(problems).toEqual([]);
    expect(oidc).toEqual({
      issuer: 'https://login.example/realms/a',
      audience: ['casebook', 'portal'],
      jwksUrl: undefined,
      roleClaim: 'roles',
      roleMapping: new Map([
        ['cn=oncall', 'operator'],
        ['*', 'viewer'],
      ]),
      clustersClaim: undefined,
      namespacesClaim: undefined,
    });
  });

  it.each<[OidcVariables, string[]]>([
    [{ CASEBOOK_OIDC_ROLE_CLAIM: 'groups' }, ['CASEBOOK_OIDC_ISSUER', 'CASEBOOK_OIDC_AUDIENCE', 'CASEBOOK_OIDC_ROLE_MAPPING']],
    [{ ...GOOD, CASEBOOK_OIDC_ISSUER: 'login.example' }, ['CASEBOOK_OIDC_ISSUER']],
    [{ ...GOOD, CASEBOOK_OIDC_ISSUER: 'http://login.example' }, ['CASEBOOK_OIDC_ISSUER']],
    [{ ...GOOD, CASEBOOK_OIDC_ISSUER: 'https://user:secret@login.example' }, ['CASEBOOK_OIDC_ISSUER']],
    [{ ...GOOD, CASEBOOK_OIDC_ISSUER: 'http://127.0.0.1:8080/realm' }, []],
    [{ ...GOOD, CASEBOOK_OIDC_JWKS_URL: 'file:///etc/keys' }, ['CASEBOOK_OIDC_JWKS_URL']],
    [{ ...GOOD, CASEBOOK_OIDC_AUDIENCE: ' , ' }, ['CASEBOOK_OIDC_AUDIENCE']],
    [{ ...GOOD, CASEBOOK_OIDC_ROLE_MAPPING: 'sre' }, ['CASEBOOK_OIDC_ROLE_MAPPING']],
    [{ ...GOOD, CASEBOOK_OIDC_ROLE_MAPPING: 'sre=root' }, ['CASEBOOK_OIDC_ROLE_MAPPING']],
    [{ ...GOOD, CASEBOOK_OIDC_ROLE_MAPPING: 'a=viewer,a=admin' }, ['CASEBOOK_OIDC_ROLE_MAPPING']],
  ])('finds what is wrong with %j', (set, wrong) => {
    const { oidc, problems } = parseOidc(set);
    expect(problems.map(({ variable }) => variable)).toEqual(wrong);
    expect(oidc === undefined).toBe(wrong.length > 0);
    expect(JSON.stringify(problems)).not.toContain('secret');
  });
});

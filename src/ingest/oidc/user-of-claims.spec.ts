import { describe, expect, it } from 'vitest';
import type { OidcConfig } from '../../config/parse-oidc.js';
import { userOfClaims } from './user-of-claims.js';

const CONFIG: OidcConfig = {
  issuer: 'https://login.example',
  audience: ['casebook'],
  jwksUrl: undefined,
  roleClaim: 'realm_access.roles',
  roleMapping: new Map([
    ['sre', 'admin'],
    ['oncall', 'operator'],
    ['staff', 'viewer'],
  ]),
  clustersClaim: undefined,
  namespacesClaim: undefined,
};
const withRoles = (roles: unknown): object => ({ sub: 'u1', realm_access: { roles } });

describe('userOfClaims', () => {
  it.each([
    [['staff'], 'viewer'],
    [['staff', 'sre', 'oncall'], 'admin'],
    ['oncall', 'operator'],
    [['others'], undefined],
    [[], undefined],
    [null, undefined],
    [{ sre: true }, undefined],
    [['SRE', 'sre '], undefined],
    ['__proto__', undefined],
    [['*'], undefined],
  ])('makes of the roles %j %s', (roles, role) => {
    expect(userOfClaims(withRoles(roles) as never, CONFIG)?.role).toBe(role);
  });

  it('takes a claim by its whole name first, and goes into no prototype', () => {
    const named = { ...CONFIG, roleClaim: 'https://example.com/roles' };
    expect(userOfClaims({ sub: 'u1', 'https://example.com/roles': ['sre'] }, named)?.role).toBe('admin');
    expect(
      userOfClaims({ sub: 'u1' }, { ...CONFIG, roleClaim: 'constructor.name', roleMapping: new Map([['Object', 'admin']]) }),
    ).toBeUndefined();
  });

  it('gives whoever has a valid token the role of *', () => {
    const all = { ...CONFIG, roleMapping: new Map([...CONFIG.roleMapping, ['*', 'viewer'] as const]) };
    expect(userOfClaims({ sub: 'u1' }, all)?.role).toBe('viewer');
    expect(userOfClaims(withRoles(['sre']) as never, all)?.role).toBe('admin');
  });

  it('keeps to what the claims of the scope name: nothing when they are missing, all when they say *', () => {
    const scoped = { ...CONFIG, clustersClaim: 'clusters', namespacesClaim: 'namespaces' };
    const scopeOf = (claims: object): unknown => userOfClaims({ ...withRoles(['oncall']), ...claims }, scoped)?.scope;
    expect(scopeOf({})).toEqual({ clusters: [], namespaces: [] });
    expect(scopeOf({ clusters: ['prod', 7], namespaces: 'shop' })).toEqual({ clusters: ['prod'], namespaces: ['shop'] });
    expect(scopeOf({ clusters: '*', namespaces: ['*'] })).toEqual({ clusters: null, namespaces: null });
  });

  it.each(['', ' ', [''], ['', ' \t']])('takes %j for no name, which would be that of all objects without a namespace', (blank) => {
    const scoped = { ...CONFIG, clustersClaim: 'clusters', namespacesClaim: 'namespaces' };
    const scopeOf = (claims: object): unknown => userOfClaims({ ...withRoles(['oncall']), ...claims }, scoped)?.scope;
    expect(scopeOf({ clusters: blank, namespaces: blank })).toEqual({ clusters: [], namespaces: [] });
    expect(scopeOf({ clusters: 'prod', namespaces: ['shop', blank].flat() })).toEqual({ clusters: ['prod'], namespaces: ['shop'] });
  });

  it('makes nobody an admin of single namespaces', () => {
    const scoped = { ...CONFIG, namespacesClaim: 'namespaces' };
    expect(userOfClaims({ ...withRoles(['sre']), namespaces: ['shop'] }, scoped)?.role).toBe('operator');
    expect(userOfClaims({ ...withRoles(['sre']), namespaces: ['*'] }, scoped)?.role).toBe('admin');
  });

  it('names people as they are known, and the subject by which they stay the same', () => {
    const user = userOfClaims({ ...withRoles(['sre']), preferred_username: 'mia', email: 'mia@example.com' }, CONFIG);
    expect(user).toMatchObject({ id: 'oidc:u1', name: 'mia' });
    expect(userOfClaims(withRoles(['sre']) as never, CONFIG)?.name).toBe('u1');
  });

  it('names them by text that can be stored and shown, whatever they call themselves', () => {
    const user = userOfClaims({ ...withRoles(['sre']), sub: 'u\0', preferred_username: `mia\0\n\ud800${'x'.repeat(300)}` }, CONFIG);
    expect(user?.id).toBe('oidc:u ');
    expect(user?.name).toBe(`mia  \ufffd${'x'.repeat(194)}`);
  });
});

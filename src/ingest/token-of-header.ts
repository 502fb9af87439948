const BEARER = /^Bearer +(\S+) *$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * The token of an Authorization header, as a bearer token or as the password of Basic with any user name: several senders
 * can set no header, but make one of `https://user:password@host`. Undefined when it is neither.
 */
export function tokenOfHeader(authorization: string): string | undefined {
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return undefined;
  try {
    return /^[^:]*:(\S+)$/.exec(atob(basic))?.[1];
  } catch {
    // The padding is wrong, which the pattern does not see.
    return undefined;
  }
}

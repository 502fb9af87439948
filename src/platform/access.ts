import type { Scope } from './scope.js';
import { EVERYTHING } from './scope.js';

/** Who sends a request, as its token says. */
export type Caller =
  /** No token was sent. */
  { kind: 'anonymous' } | { kind: 'admin' } | { kind: 'cluster'; id: number; name: string; provider: string };

/** What of the data a caller may see. */
export function scopeOf(caller: Caller): Scope {
  return caller.kind === 'cluster' ? { clusters: [caller.name], namespaces: null } : EVERYTHING;
}

/**
 * Who may use a route: `open` anybody, `token` whoever has a valid token, `admin` the admin only. Where no token is
 * required (CASEBOOK_AUTH=none), requests without one may use every route. A route that does not say is for the admin.
 */
export type Access = 'open' | 'token' | 'admin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. Default: the admin. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Who sent the request; set before its body is read. */
    caller: Caller;
  }
}

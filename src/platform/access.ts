import type { PageHeaders } from './is-foreign-page.js';
import type { Refusal } from './refusal.js';
import type { Scope } from './scope.js';
import { EVERYTHING } from './scope.js';

/** What a user may do, each more than the one before: read; work on incidents; look after clusters, tokens and refused input. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who uses Casebook through a portal, a script or by hand. */
export interface User {
  kind: 'user';
  /** For people to read. */
  name: string;
  /** Whom the audit log names: `admin-token`, `token:<id>` or `oidc:<subject>`. */
  id: string;
  role: Role;
  scope: Scope;
}

/** A cluster, whose token is for sending events and asking for diagnoses. */
export interface SendingCluster {
  kind: 'cluster';
  id: number;
  name: string;
  provider: string;
  tokenId?: number;
}

/** Who sends a request, as its token says; `anonymous` when none was sent. */
export type Caller = { kind: 'anonymous' } | User | SendingCluster;

/** What of the data a caller may see. */
export function scopeOf(caller: Caller): Scope {
  if (caller.kind === 'user') return caller.scope;
  return caller.kind === 'cluster' ? { clusters: [caller.name], namespaces: null } : EVERYTHING;
}

/** The role of a caller: without tokens (CASEBOOK_AUTH=none) everybody is an admin; a cluster has none. */
export function roleOf(caller: Caller): Role | undefined {
  if (caller.kind === 'user') return caller.role;
  return caller.kind === 'anonymous' ? 'admin' : undefined;
}

/** True when a caller's role is this one or one that may do more. */
export function hasRole(caller: Caller, role: Role): boolean {
  const own = roleOf(caller);
  return own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role);
}

/** The id of a caller who is told apart from others; undefined for whoever sent no token. */
export function callerIdOf(caller: Caller): string | undefined {
  return caller.kind === 'anonymous' ? undefined : actorOf(caller).id;
}

/** Whom a change is put down to: the id that does not change, and the name for people. */
export function actorOf(caller: Caller): { id: string; name: string } {
  if (caller.kind === 'user') return { id: caller.id, name: caller.name };
  if (caller.kind === 'cluster') return { id: `cluster:${caller.id}`, name: caller.name };
  return { id: 'anonymous', name: 'anonymous' };
}

/**
 * Who may use a route: `open` anybody; `token` whoever has a valid token, that of a cluster too; else users of this role or one
 * that may do more. Where no token is required (CASEBOOK_AUTH=none), requests without one may use every route. A route that does
 * not say is for admins.
 */
export type Access = 'open' | 'token' | Role;

/** A refusal in the words of a protocol. */
export interface ToldRefusal {
  /** HTTP status. */
  status: number;
  contentType: string;
  body: string | Uint8Array;
}

/** The check of tokens, for doors that callers come to in other ways than by a route. */
export abstract class CallerCheck {
  /**
   * Tells who an Authorization header is of; undefined for none. `from` is the address that it came from: wrong tokens from there
   * are slowed; undefined for a token that was good before.
   *
   * @throws RequestError UNAUTHENTICATED or FORBIDDEN when what has this access is not for them, or a BUSY error when it cannot be told now
   */
  abstract admit(authorization: string | undefined, access: Access, from?: string): Promise<Caller>;

  /**
   * Looks at what a browser says of the page that made it ask: a page proves nothing by what a browser sends for it by itself, which is
   * nothing at all where no token is needed, or Basic. `only` is `reading` for what changes nothing and tells pages of other origins nothing.
   *
   * @throws RequestError FORBIDDEN when the page is not one of ours
   */
  abstract checkPage(caller: Caller, headers: PageHeaders & { authorization?: string | undefined }, only?: 'reading'): void;
}

/** What was asked to be done, and by whom. */
export interface AskedAction {
  caller: Caller;
  /** Name of the mutation or operation, or the method and route. */
  action: string;
  /** The cluster that it is about; undefined when it is about none in particular. */
  cluster: string | undefined;
  args: Record<string, unknown>;
}

/** Where doors tell that somebody was refused. */
export abstract class RefusalTrail {
  /** Writes down that something was refused. A failure is logged: whoever is refused gets the refusal in any case. */
  abstract refused(asked: AskedAction): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. Default: admins. */
    access?: Access;
    /** True for what cannot be kept within a scope, and so is only for those who may see everything. */
    needsFullScope?: boolean;
    /**
     * True for the pages of the knowledge base, which are open to anybody while it holds only what is bundled and so is public. A browser
     * that needs a token for them is told to ask its user.
     */
    catalogue?: boolean;
    /**
     * How a refusal is told where a protocol says so; by default as Casebook's own JSON. `contentType` is that of the request.
     */
    tellRefusal?: (refusal: Refusal, contentType: string | undefined) => ToldRefusal;
    /** True for an answer that lasts until the client leaves: how long it took says nothing. */
    stream?: boolean;
  }
  interface FastifyRequest {
    /** Who sent the request; set before its body is read. */
    caller: Caller;
    /** Why the request was refused; set when it was. */
    refusal: Refusal | undefined;
  }
}

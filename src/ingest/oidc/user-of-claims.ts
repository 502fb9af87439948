import type { OidcConfig } from '../../config/parse-oidc.js';
import type { Role, User } from '../../platform/access.js';
import { ROLES } from '../../platform/access.js';

/** The claims of a token whose signature, issuer, audience and times are good. */
export type Claims = Readonly<Record<string, unknown>>;

/** Most names of clusters or namespaces that a token may carry. */
const MOST_NAMES = 1000;
const LONGEST_NAME = 200;

/**
 * The user that claims make by the mapping of roles, with the highest of their roles; undefined when none of their values is mapped.
 * An admin looks after whole clusters: with namespaces in its scope it is an operator.
 */
export function userOfClaims(claims: Claims, config: OidcConfig): User | undefined {
  const mapped = ['*', ...textsAt(claims, config.roleClaim)].map((value) => config.roleMapping.get(value));
  const role = ROLES.findLast((each) => mapped.includes(each));
  if (!role) return undefined;
  const clusters = namesOf(claims, config.clustersClaim);
  const namespaces = namesOf(claims, config.namespacesClaim);
  const subject = String(claims['sub']);
  const name = [claims['preferred_username'], claims['email']].find((text) => typeof text === 'string' && text !== '') ?? subject;
  return {
    kind: 'user',
    id: printable(`oidc:${subject}`),
    name: printable(String(name)),
    role: lowered(role, namespaces),
    scope: { clusters, namespaces },
  };
}

/** Issuers let people choose names; control characters have no place in a text of the database, nor in a line of a log. */
function printable(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');
}

function lowered(role: Role, namespaces: readonly string[] | null): Role {
  return role === 'admin' && namespaces !== null ? 'operator' : role;
}

/**
 * Names that a claim allows: null, which is all, when no claim is asked for or it holds `*`; none when it is missing. Blank texts are
 * no names: objects without a namespace are stored with an empty one.
 */
function namesOf(claims: Claims, path: string | undefined): string[] | null {
  if (path === undefined) return null;
  const names = textsAt(claims, path).filter((name) => name.trim() !== '');
  return names.includes('*') ? null : names.slice(0, MOST_NAMES);
}

/** The texts under a claim, which may be one or a list: by its whole name, as some are addresses with dots, else by the parts of a path. */
function textsAt(claims: Claims, path: string): string[] {
  const found = Object.hasOwn(claims, path)
    ? claims[path]
    : path.split('.').reduce<unknown>((value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined), claims);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.filter((text): text is string => typeof text === 'string' && !text.includes('\0'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

import type { Role } from '../platform/access.js';
import { RequestError } from '../platform/refusal.js';
import type { Scope } from '../platform/scope.js';
import { isWithin } from '../platform/scope.js';
import { checkText } from './page.js';

/** A token to make, as it came in. */
export interface WantedToken {
  name: string;
  role: Role;
  clusters?: readonly string[] | null;
  namespaces?: readonly string[] | null;
  /** Milliseconds since the epoch. */
  expiresAt?: number | null;
}

/** A token to make, checked. */
export interface CheckedToken {
  name: string;
  role: Role;
  scope: Scope;
  expiresAt: Date | null;
}

const MOST_NAMES = 200;
const LONGEST_NAME = 100;
const LONGEST_LIFE = 10 * 365 * 86_400_000;

/**
 * Checks a token to make for a caller of a scope; `now` in milliseconds.
 *
 * @throws RequestError BAD_INPUT that names the wrong field, FORBIDDEN for a token that could do more than the caller
 */
export function checkNewToken({ name, role, clusters, namespaces, expiresAt }: WantedToken, own: Scope, now: number): CheckedToken {
  const trimmed = checkText('name', name, LONGEST_NAME).trim();
  if (trimmed === '' || /\p{Cc}/u.test(trimmed)) throw refuse('name', 'a line of text that says what the token is for');
  const scope = { clusters: checkNames('clusters', clusters), namespaces: checkNames('namespaces', namespaces) };
  if (role === 'admin' && scope.namespaces) throw refuse('namespaces', 'none for an admin, who looks after whole clusters');
  if (!isWithin(scope, own))
    throw new RequestError('FORBIDDEN', 'A token cannot see more than whoever makes it: name clusters of your own.');
  if (expiresAt === null || expiresAt === undefined) return { name: trimmed, role, scope, expiresAt: null };
  if (expiresAt <= now || expiresAt > now + LONGEST_LIFE) throw refuse('expiresAt', 'a time to come, at most ten years from now');
  return { name: trimmed, role, scope, expiresAt: new Date(expiresAt) };
}

function checkNames(field: string, names: readonly string[] | null | undefined): string[] | null {
  if (names === null || names === undefined) return null;
  if (names.length === 0 || names.length > MOST_NAMES)
    throw refuse(field, `1 to ${MOST_NAMES} names, or leave it out for all, got ${names.length}`);
  for (const name of names) {
    if (name === '' || checkText(field, name, 253) === '*') throw refuse(field, 'names, without patterns; leave it out for all');
  }
  return [...new Set(names)];
}

function refuse(field: string, expected: string): RequestError {
  return new RequestError('BAD_INPUT', `${field}: expected ${expected}.`);
}

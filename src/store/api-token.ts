import type { Scope } from '../platform/scope.js';

/** A token of a person or program, as it may be shown: never the token itself. */
export interface ApiToken {
  id: number;
  name: string;
  /** `viewer`, `operator` or `admin`; the database takes no other. */
  role: 'viewer' | 'operator' | 'admin';
  scope: Scope;
  /** Id of whoever made it, as the audit log names them. */
  createdBy: string;
  createdAt: Date;
  /** Null when it is valid until it is revoked. */
  expiresAt: Date | null;
  /** Last use, to the minute; null before the first one. */
  lastUsedAt: Date | null;
}

/** What a token is made with. */
export type NewApiToken = Pick<ApiToken, 'name' | 'role' | 'scope' | 'createdBy' | 'expiresAt'>;

/** Most tokens that there may be at a time, expired ones included. */
export const MOST_API_TOKENS = 1000;

/** A token could not be made or revoked. */
export class ApiTokenError extends Error {
  /** @param code `API_TOKEN_UNKNOWN` for an id that no token has, `API_TOKEN_CONFLICT` when there are too many */
  constructor(
    readonly code: 'API_TOKEN_UNKNOWN' | 'API_TOKEN_CONFLICT',
    message: string,
  ) {
    super(message);
  }
}

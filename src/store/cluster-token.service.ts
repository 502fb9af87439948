import { createHash, randomBytes } from 'node:crypto';

/** A new token, and the hash under which it is stored; the token itself is shown once and never kept. */
export interface IssuedToken {
  token: string;
  hash: Uint8Array<ArrayBuffer>;
}

const CLUSTER_TOKEN = /^cb_[\w-]{43}$/;
const API_TOKEN = /^cbu_[\w-]{43}$/;

/** Makes a token: 32 random bytes in base64url behind a prefix, `cb_` for a cluster and `cbu_` for whoever uses the APIs. */
export function issueToken(prefix: 'cb_' | 'cbu_' = 'cb_'): IssuedToken {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

/** SHA-256 of a token. Enough without salt or stretching, because tokens are random and not chosen by people. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** False for a text that cannot be a cluster's token, so that it need not be looked up. */
export function looksLikeClusterToken(token: string): boolean {
  return CLUSTER_TOKEN.test(token);
}

/** False for a text that cannot be the token of an API's user. */
export function looksLikeApiToken(token: string): boolean {
  return API_TOKEN.test(token);
}

/** A token or a signing secret of a cluster, as it may be shown: never the thing itself. */
export interface ClusterCredential {
  id: number;
  createdAt: Date;
  /** Last use, to the minute; null before the first one, and always for signing secrets. */
  lastUsedAt: Date | null;
  /** When it stops being valid; null when it is until it is revoked. */
  expiresAt: Date | null;
}

/** Where credentials of a kind lie, and in which column what they are checked with. */
export type CredentialTable = { table: 'cluster_token'; column: 'hash' } | { table: 'signing_secret'; column: 'sealed' };

/** The tokens that clusters send. */
export const TOKENS: CredentialTable = { table: 'cluster_token', column: 'hash' };
/** The secrets that clusters sign with. */
export const SIGNING_SECRETS: CredentialTable = { table: 'signing_secret', column: 'sealed' };

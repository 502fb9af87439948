/** The embedded database cannot be used; the message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code = 'EMBEDDED_POSTGRES';
}

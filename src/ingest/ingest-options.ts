/** What the doors for events are told from outside. */
export interface IngestOptions {
  /** Whether a request needs a token. */
  auth: 'required' | 'none';
  /** The token that may do everything; undefined when there is none. */
  adminToken: string | undefined;
  /** Largest body after decompression, in bytes. */
  maxInflatedBytes: number;
  /** Most elements of one body. */
  maxEvents: number;
}

/** Injection token of the `IngestOptions`. */
export const INGEST_OPTIONS = Symbol('IngestOptions');

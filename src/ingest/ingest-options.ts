import type { OidcConfig } from '../config/parse-oidc.js';

/** What the doors for events are told from outside. */
export interface IngestOptions {
  /** Whether a request needs a token. */
  auth: 'required' | 'none';
  /** Whether only this machine can reach the service. */
  onLoopback: boolean;
  /** Whether there is knowledge besides what is bundled. */
  ownKnowledge: boolean;
  /** The token that may do everything; undefined when there is none. */
  adminToken: string | undefined;
  /** Whose JSON Web Tokens are taken; undefined for nobody's. */
  oidc: OidcConfig | undefined;
  /** Largest body as sent, in bytes. */
  maxBodyBytes: number;
  /** Events that a cluster may send per second in the long run, unless it has a number of its own. */
  eventsPerSecond: number;
  /** Largest body after decompression, in bytes. */
  maxInflatedBytes: number;
  /** Most elements of one body. */
  maxEvents: number;
}

/** Injection token of the `IngestOptions`. */
export const INGEST_OPTIONS = Symbol('IngestOptions');

import type { AllowedTargets } from './judge-address.js';
import type { Resolve } from './http-post.service.js';

/** How webhooks are sent. */
export interface NotifyOptions {
  allowed: AllowedTargets;
  /** For one attempt, milliseconds. */
  timeout: number;
  /** Most attempts before a message is dead. */
  attempts: number;
  /** Pause after the first attempt, milliseconds. */
  retry: number;
  /** Days that messages are kept after they were delivered or died. */
  days: number;
  /** For tests. */
  resolve?: Resolve;
  trust?: string;
}

/** Injection token of the `NotifyOptions`. */
export const NOTIFY_OPTIONS = Symbol('NotifyOptions');

/** Bounds that are not set from outside. */
export const BOUNDS = {
  webhooks: 100,
  /** Messages of one webhook that may wait, before further changes are gathered into digests. */
  waiting: 5_000,
  /** Requests at a time, of this process. */
  requests: 32,
  /** Requests at a time to one target, of this process. */
  perTarget: 4,
  /** Longest time that a message waits or is tried, milliseconds. */
  age: 24 * 3_600_000,
  /** Dead messages that are sent again by one call. */
  resend: 1_000,
} as const;

import type { WatchConfig } from '../../config/config.js';

/** What the watching of clusters is told from outside. */
export interface WatchOptions extends WatchConfig {
  /** How long a lease is good for, milliseconds: as long as it takes, at most, until another replica takes over from one that died. */
  leaseTtl: number;
  /** Pause between two renewals, milliseconds; several must fit into a lease. */
  renewEvery: number;
}

/** Injection token of the `WatchOptions`. */
export const WATCH_OPTIONS = Symbol('WatchOptions');

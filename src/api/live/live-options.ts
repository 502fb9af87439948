/** Bounds of live streams. */
export interface LiveOptions {
  /** Most streams, over WebSocket and Server-Sent Events together. */
  maxSubscriptions: number;
  /** Most changes that wait for one stream. */
  maxUndelivered: number;
}

/** Injection token of the `LiveOptions`. */
export const LIVE_OPTIONS = Symbol('LiveOptions');

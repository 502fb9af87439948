import type { ClusterEvent } from '../events/cluster-event.js';

/** A word about a cluster's silence that Casebook says itself. Times in milliseconds since the epoch. */
export interface SilenceWord {
  cluster: string;
  /** `ClusterSilent` begins it; it is ended by `ClusterHeard`, or by `ClusterNotExpected` when nobody is to be heard any more. */
  reason: 'ClusterSilent' | 'ClusterHeard' | 'ClusterNotExpected';
  message: string;
  /** When it became true; no two of a cluster share it, so that it tells one from the next. */
  at: number;
}

/** Writes such a word as an event, which is diagnosed and stored like any other. The same word gives the same event. */
export function silenceEvent({ cluster, reason, message, at }: SilenceWord): ClusterEvent {
  return {
    uid: `casebook:${reason}:${new Date(at).toISOString()}`,
    reason,
    message,
    type: reason === 'ClusterSilent' ? 'Warning' : 'Normal',
    reporter: 'casebook',
    host: '',
    object: { kind: 'Cluster', namespace: '', name: cluster, uid: '', container: '' },
    count: 1,
    firstAt: at,
    lastAt: at,
    timed: true,
  };
}

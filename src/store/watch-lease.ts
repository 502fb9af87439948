/** How a cluster is reached. */
export type WatchMode = 'kubeconfig' | 'in-cluster' | 'stored';

/** What a watch is doing, as its holder says. */
export type WatchPhase = 'connecting' | 'listing' | 'watching' | 'backing-off' | 'stopped';

/** A kind of object whose end cannot be noticed, and why. */
export interface UnfollowedKind {
  kind: string;
  reason: string;
}

/** What a holder tells of a watch with every renewal. Times in milliseconds since the epoch. */
export interface WatchReport {
  phase: WatchPhase;
  /** When the phase began. */
  since: number;
  /** Address of the API server; null until it is known. */
  server: string | null;
  /** What last went wrong; null when nothing did since the watch was last well. */
  error: { code: string; message: string; at: number } | null;
  unfollowed: readonly UnfollowedKind[];
}

/** A lease that was just taken, and what its watch goes on from. */
export interface TakenLease {
  cluster: { id: number; name: string; provider: string };
  mode: WatchMode;
  /** Fencing token of this holding. */
  epoch: number;
  /** Resource version up to which events are stored; null when everything has to be listed. */
  position: string | null;
  /** The API server that the position is of. */
  positionServer: string | null;
  /** Name of the replica that let it lapse; null when it was given back or never held. */
  lapsedHolder: string | null;
}

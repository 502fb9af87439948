import type { KubeConfig } from '@kubernetes/client-node';
import type { ClusterEvent, Rejection } from '../../events/cluster-event.js';

/** What the follow of one cluster has read, in the order of the API server. */
export interface FollowedBatch {
  /** Events that were added or changed, and events of our own about objects that are gone (`object.deleted`). */
  events: readonly ClusterEvent[];
  /** Event objects that the API server dropped, mostly because they expired, in their last state. They say nothing new. */
  deleted: readonly ClusterEvent[];
  /** Elements that are not Events, with their position in the page or batch. */
  rejected: readonly Rejection[];
  /** Resource version to go on from once this batch is durable; undefined leaves the stored one as it is. */
  position: string | undefined;
}

/** An object that something is open about, as the store knows it. */
export interface OpenObject {
  kind: string;
  /** Empty for cluster-scoped objects. */
  namespace: string;
  name: string;
  /** Latest time that something was wrong with it, milliseconds since the epoch. */
  lastAt: number;
}

/** A kind of object whose end cannot be noticed, and why. */
export interface UnfollowedKind {
  kind: string;
  /** One sentence for the operator: the API server's own words where it gave some. */
  reason: string;
}

/** Why a connection to an API server ended or could not be used. */
export type FaultCode =
  /** The credentials were refused (401). */
  | 'UNAUTHORIZED'
  /** The credentials may not read Events (403). */
  | 'FORBIDDEN'
  /** The resource version or page token is too old (410), or newer than anything the server knows. */
  | 'EXPIRED'
  /** The server has too much to do (429). */
  | 'THROTTLED'
  /** The server answered with an error of its own (5xx, or an ERROR event other than 410). */
  | 'SERVER_ERROR'
  /** What answered does not speak the Kubernetes API as expected. */
  | 'UNEXPECTED_ANSWER'
  /** Nothing was heard for longer than a living server is silent. */
  | 'SILENT'
  /** The certificate of the server, or ours, is not accepted. */
  | 'TLS'
  /** The server is not reachable, or the connection broke. */
  | 'NETWORK'
  /** The kubeconfig, its exec plug-in or its token file could not be used. */
  | 'CREDENTIALS';

/** What a follow is doing. */
export type WatchState =
  | { phase: 'connecting' }
  /** Reads all Events: the first time (`first`), or because what came since is no longer to be had (`expired`). */
  | { phase: 'listing'; because: 'first' | 'expired' }
  /** Everything up to `position` was delivered, and changes arrive as they happen. */
  | { phase: 'watching'; position: string }
  /** Tries again after `delayMs`; `message` is one sentence for the operator without secrets, `failures` counts those in a row. */
  | { phase: 'waiting'; code: FaultCode; message: string; delayMs: number; failures: number }
  | { phase: 'stopped' };

/** What the end of objects is noticed with. Left out, the follow reads Events alone. */
export interface ObjectOptions {
  /** Objects of these kinds that something is open about, by key after `after` (empty for the first), at most `limit`. */
  findOpen: (
    kinds: readonly string[],
    after: string,
    limit: number,
  ) => Promise<{ objects: readonly OpenObject[]; next: string | undefined }>;
  /** Told the kinds that cannot be followed whenever they change. */
  tell: (unfollowed: readonly UnfollowedKind[]) => void;
  /** Told when `findOpen` rejects; it is asked again in the next round. */
  tellFailure: (error: unknown) => void;
}

/** How one cluster is followed. */
export interface FollowOptions {
  /** Makes a fresh KubeConfig; called again after a 401 and after a failure of TLS or of its credentials. */
  connect: () => Promise<KubeConfig>;
  /** Resource version to go on from; undefined for a first list. */
  resumeFrom: string | undefined;
  /**
   * Makes events durable; the batch's position is what may be resumed from afterwards. Nothing more is read meanwhile, so
   * it may take as long as it needs: it waits while intake is busy. Calls never overlap. Rejecting ends the follow.
   */
  deliver: (batch: FollowedBatch) => Promise<void>;
  /** Told of every change of state, for health and metrics. */
  tell: (state: WatchState) => void;
  /** Ends the follow. */
  signal: AbortSignal;
  objects?: ObjectOptions;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /** Resolves after that many milliseconds, or at once when the signal is aborted; never rejects. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
  timing?: Partial<WatchTiming>;
}

/** How long things take, in milliseconds unless said otherwise. */
export interface WatchTiming {
  /** Events of one page of a list. */
  pageSize: number;
  /** Most events read ahead of what is durable. */
  batchSize: number;
  /** How long the server is asked to keep a watch open, in seconds. */
  watchSeconds: number;
  /** How long a watch may be silent before the connection is taken for dead; longer than `watchSeconds`. */
  idleMs: number;
  /** How long an answer may take to begin, and a page to arrive. */
  answerMs: number;
  /** First delay after a failure; each further failure in a row doubles it. */
  firstDelayMs: number;
  /** Longest delay after a failure. */
  longestDelayMs: number;
  /** Between two looks at the objects that something is open about. */
  objectsEveryMs: number;
}

/**
 * One Kubernetes Event in Casebook's own form, whichever sender and format carried it. Owning the type means that a
 * change of the Kubernetes API stops at the readers in this room.
 */
export interface ClusterEvent {
  /**
   * Identity of the event inside its cluster: `metadata.uid`, else `namespace/name` of the Event object, else a hash of
   * its content. Deliveries with the same uid are the same Event, however often it was updated.
   */
  uid: string;
  /** Machine word of the sender, such as `FailedScheduling`; empty for a log line. */
  reason: string;
  /** Text as sent, at most 65,536 characters, well-formed UTF-16 without NUL. */
  message: string;
  /** `Normal` or `Warning` as sent, empty when unknown. Not a severity: several Normal events are failures. */
  type: string;
  /** Component that reported it (`kubelet`, `default-scheduler`); empty when the sender does not say. */
  reporter: string;
  /** Node or host of the reporter; empty when unknown. */
  host: string;
  object: EventObject;
  /** How many happenings this delivery stands for since the Event object exists; at least 1. */
  count: number;
  /** First happening, milliseconds since the epoch; never later than `lastAt`. */
  firstAt: number;
  /** Latest happening of this delivery, milliseconds since the epoch. */
  lastAt: number;
  /** False when the event carried no time at all and `lastAt` is the time of receipt. */
  timed: boolean;
  /** Set when this is no Kubernetes Event but an alert of a monitoring system that starts to fire or is resolved. */
  alert?: AlertState;
}

/** Which alert an event is about, and which end of it: its firing and its end are two events that belong together. */
export interface AlertState {
  /** Identity of the alert among all of its cluster, the same each time that it fires. */
  fingerprint: string;
  /** True when the event is the end of the alert. */
  resolved: boolean;
}

/** The object that an event is about. */
export interface EventObject {
  /** Kind such as `Pod`; empty for a log line, which has no object. */
  kind: string;
  /** Namespace; empty for cluster-scoped objects. */
  namespace: string;
  name: string;
  /** UID of the object; empty when unknown, and for Nodes, whose senders put the node name there. */
  uid: string;
  /** Container named by `fieldPath` (`spec.containers{app}`, `spec.initContainers{init}`); empty for none. */
  container: string;
  /** Controller that owns the object, when the sender passes ownerReferences on. */
  owner?: { kind: string; name: string };
  /** True when the sender says that the object is already deleted. */
  deleted?: boolean;
}

/** An element of a body that is not an event, with its position in the body and what was wrong, for the sender. */
export interface Rejection {
  /** Position among the body's elements, from 0. */
  index: number;
  /** One sentence: which field, what it was, what was expected. */
  reason: string;
}

/** What a reader makes of one body: the good events with their position, and the refused elements. */
export interface ReadResult {
  events: { index: number; event: ClusterEvent }[];
  rejected: Rejection[];
}

/** An object as a message names it. */
export interface NamedObject {
  namespace: string;
  name: string;
  uid: string;
}

// Lengths are bounded so that no text makes the search slow.
/** The kubelet's way to name a Pod: `web-0_shop(1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d)`. */
const POD = /(?<![\w.-])([a-z0-9][-a-z0-9.]{0,252})_([a-z0-9][-a-z0-9]{0,62})\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/;
/** The node controller's: `Node node-7 status is now: NodeNotReady`. */
const NODE = /^Node ([a-z0-9][-a-z0-9.]{0,252}) (?:status is now|event): /;

/**
 * Finds the object of an event in its message, for senders that pass only the kind on. Two spellings are exact enough to
 * be taken at their word; anything else in a text may be another object than the one that the event is about.
 */
export function objectInMessage(kind: string, message: string): NamedObject | undefined {
  const pod = kind === 'Pod' ? POD.exec(message) : null;
  if (pod) return { name: pod[1]!, namespace: pod[2]!, uid: pod[3]! };
  const node = kind === 'Node' ? NODE.exec(message) : null;
  return node ? { name: node[1]!, namespace: '', uid: '' } : undefined;
}

import type { ClusterEvent } from '../events/cluster-event.js';

/**
 * Identity of an event's object inside its cluster. By name and not by uid: several senders leave the uid out or put the
 * node's name there, and a StatefulSet's Pod that was recreated is the same patient. A log line has no object; it is
 * keyed by the component and host that wrote it.
 */
export function objectKey(event: ClusterEvent): string {
  const { kind, namespace, name } = event.object;
  if (kind === '' && name === '') return `/${namespace}/${event.reporter}@${event.host}`;
  return keyOf(kind, namespace, name);
}

/** Key of an object by its parts. */
export function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

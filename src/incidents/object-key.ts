import type { ClusterEvent } from '../events/cluster-event.js';
import { hashText } from '../events/hash-text.js';

/** Longest key, in characters of up to three bytes: PostgreSQL refuses index entries beyond about 2,700 bytes. Real names stay far below. */
const LONGEST = 400;

/**
 * Identity of an event's object inside its cluster. By name and not by uid: several senders leave the uid out or put the
 * node's name there, and a StatefulSet's Pod that was recreated is the same patient. A log line has no object; it is
 * keyed by the component and host that wrote it.
 */
export function objectKey(event: ClusterEvent): string {
  const { kind, namespace, name } = event.object;
  if (kind === '' && name === '') return shortKey(`/${namespace}/${event.reporter}@${event.host}`);
  return keyOf(kind, namespace, name);
}

/** Key of an object by its parts. */
export function keyOf(kind: string, namespace: string, name: string): string {
  return shortKey(`${kind}/${namespace}/${name}`);
}

/** The key itself, or its beginning and a hash where it is too long to be indexed; well-formed as the key is. */
export function shortKey(key: string, longest = LONGEST): string {
  return key.length <= longest ? key : `${key.slice(0, longest - 40).toWellFormed()}…${hashText(key)}`;
}

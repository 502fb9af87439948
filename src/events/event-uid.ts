import type { ClusterEvent } from './cluster-event.js';
import { hashText } from './hash-text.js';

const LONGEST = 512;

/**
 * Makes an identity for an event whose sender passes no `metadata.uid`: the Event object's own name where there is one
 * (unique inside a cluster while the Event lives), else a hash of what the event says. The prefixes keep both apart
 * from the API server's UUIDs. Count and latest time stay out of the hash: they grow while the Event stays the same.
 */
export function eventUid(event: Omit<ClusterEvent, 'uid'>, namespace: string, name: string): string {
  if (name !== '') {
    const uid = `name:${namespace}/${name}`;
    return uid.length <= LONGEST ? uid : `name-hash:${hashText(uid)}`;
  }
  const { object, reason, type, message, reporter, host } = event;
  const said = [object.kind, object.namespace, object.name, object.uid, object.container, reason, type, message];
  const first = event.timed ? event.firstAt : null;
  return `hash:${hashText(JSON.stringify([...said, reporter, host, first]))}`;
}

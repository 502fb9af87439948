import type { ClusterEvent } from '../../events/cluster-event.js';
import { eventUid } from '../../events/event-uid.js';
import type { OpenObject } from './followed-cluster.js';

/**
 * An event of our own that says that an object was found to be gone. It is not earlier than the object's latest trouble, so that
 * a clock that is behind does not leave the incident open. Its identity holds the time: an object may be made and lost again.
 *
 * @param noticedAt when the API server was asked, milliseconds since the epoch
 */
export function goneEvent({ kind, namespace, name, lastAt }: OpenObject, noticedAt: number): ClusterEvent {
  const at = Math.max(noticedAt, lastAt);
  const event: Omit<ClusterEvent, 'uid'> = {
    reason: 'ObjectGone',
    message: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} does not exist any more.`,
    type: 'Normal',
    reporter: 'casebook',
    host: '',
    object: { kind, namespace, name, uid: '', container: '', deleted: true },
    count: 1,
    firstAt: at,
    lastAt: at,
    timed: true,
  };
  return { uid: eventUid(event, '', ''), ...event };
}

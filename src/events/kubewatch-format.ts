import type { ClusterEvent } from './cluster-event.js';
import { eventUid } from './event-uid.js';
import { FieldReader, isJsonObject } from './field-reader.js';
import { kubernetesKind } from './kubernetes-kind.js';
import { objectNameOf } from './name-of-event.js';
import { showText } from './show-value.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/**
 * kubewatch's webhook: `{"eventmeta":{"kind","name","namespace","reason"},"text","time"}`, `message` for `text` in older
 * ones. It tells of objects being created, updated and deleted, and four kinds of its own stand for Events.
 */
export const kubewatchFormat: WireFormat = {
  names: ['kubewatch'],
  recognises: ({ eventmeta }) => isJsonObject(eventmeta),
  read: (value, now) => readMessage(value, now),
};

/** What kubewatch's own kinds stand for: it lists Events by exactly these types and reasons. */
const EVENTS: Readonly<Record<string, { kind: string; reason: string; type: string }>> = {
  backoff: { kind: 'Pod', reason: 'BackOff', type: 'Warning' },
  nodenotready: { kind: 'Node', reason: 'NodeNotReady', type: 'Normal' },
  nodeready: { kind: 'Node', reason: 'NodeReady', type: 'Normal' },
  noderebooted: { kind: 'Node', reason: 'Rebooted', type: 'Warning' },
};

function readMessage(value: JsonObject, now: number): Finding {
  const fields = new FieldReader(now);
  const meta = fields.object(value.eventmeta, 'eventmeta');
  const saidKind = fields.word(meta.kind, 'kind', 'eventmeta');
  const name = fields.word(meta.name, 'name', 'eventmeta');
  const namespace = fields.word(meta.namespace, 'namespace', 'eventmeta');
  const saidReason = fields.word(meta.reason, 'reason', 'eventmeta');
  const message = fields.message(value.text, 'text') || fields.message(value.message, 'message');
  const at = fields.time(value.time, 'time');
  if (fields.fault !== '') return { type: 'refusal', reason: fields.fault };
  if (saidKind === '' || name === '')
    return { type: 'refusal', reason: 'eventmeta: kubewatch names a kind and a name, one of them is missing' };
  if (saidKind === 'Event' || saidKind === 'event') {
    const why = 'kubewatch passes on its name and nothing that it says; set "event" and "coreevent" to false and use another sender';
    return { type: 'refusal', reason: `eventmeta: of the Event ${showText(name)} ${why}` };
  }
  const own = Object.hasOwn(EVENTS, saidKind.toLowerCase()) ? EVENTS[saidKind.toLowerCase()] : undefined;
  // The Event has expired; nothing happened to its object.
  if (own !== undefined && isDeleted(saidReason)) return { type: 'nothing' };
  const kind = own?.kind ?? kubernetesKind(saidKind);
  const event: ClusterEvent = {
    uid: '',
    reason: own?.reason ?? saidReason,
    message,
    type: own?.type ?? '',
    reporter: 'kubewatch',
    host: '',
    object: {
      kind,
      namespace: kind === 'Node' ? '' : namespace,
      // For an Event, the name is the Event's own, which begins with its object's.
      name: own === undefined ? name : (objectNameOf(name) ?? name),
      uid: '',
      container: '',
    },
    count: 1,
    firstAt: at ?? now,
    lastAt: at ?? now,
    timed: at !== undefined,
  };
  if (isDeleted(saidReason)) event.object.deleted = true;
  return { type: 'event', event: { ...event, uid: eventUid(event, namespace, '') } };
}

function isDeleted(reason: string): boolean {
  return reason.toLowerCase() === 'deleted';
}

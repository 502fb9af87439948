import type { ClusterEvent } from './cluster-event.js';
import { eventUid } from './event-uid.js';
import { FieldReader } from './field-reader.js';
import { flatFields } from './flat-fields.js';
import type { FlatField, FlatFields } from './flat-fields.js';
import { kubernetesKind } from './kubernetes-kind.js';
import { objectNameOf } from './name-of-event.js';
import { objectInMessage } from './object-in-message.js';
import { rfc3339OfGo } from './parse-go-time.js';
import { containerOf } from './read-event-object.js';
import type { Finding, JsonObject } from './wire-format.js';

/**
 * Reads an event that a sender's template wrote as one flat object of texts. `over` are fields of an object inside it,
 * which win. What the template leaves out stays empty, but for an object's name that its message or Event's name gives.
 */
export function readFlatEvent(source: JsonObject, now: number, over: FlatFields = {}): Finding {
  const flat = { ...flatFields(source), ...over };
  const fields = new FieldReader(now);
  const word = (field: FlatField): string => fields.word(flat[field]?.value, flat[field]?.path ?? '');
  const kind = kubernetesKind(word('kind'));
  const message = fields.message(flat.message?.value, flat.message?.path ?? '');
  const name = word('name');
  const ownName = objectNameOf(name) === undefined ? '' : name;
  const said = { kind, name: objectNameOf(name) ?? name, namespace: word('namespace'), uid: word('objectUid') };
  const object = said.name === '' ? { ...said, ...objectInMessage(kind, message) } : said;
  const first = timeOf(flat, 'first', fields);
  const last = timeOf(flat, 'last', fields) ?? first;
  const uid = word('uid');
  // Where nothing ties an update to the Event it updates, each delivery is one happening, and its count says nothing.
  const updates = uid !== '' || ownName !== '' || first !== undefined;
  const event: ClusterEvent = {
    uid,
    reason: word('reason'),
    message,
    // Templates use the word for other things too.
    type: /^(normal|warning)$/i.test(word('type')) ? word('type') : '',
    reporter: word('reporter'),
    host: word('host'),
    object: {
      ...object,
      ...(kind === 'Node' && { namespace: '', uid: '' }),
      container: containerOf(word('fieldPath')),
    },
    count: Math.max(1, updates ? countOf(flat, fields) : 1),
    firstAt: Math.min(first ?? last ?? now, last ?? now),
    lastAt: last ?? now,
    timed: last !== undefined,
  };
  if (fields.fault !== '') return { type: 'refusal', reason: fields.fault };
  if (event.reason === '' && message === '')
    return { type: 'refusal', reason: 'an event was expected, but it has no reason and no message' };
  if (uid === '') event.uid = eventUid(event, object.namespace, ownName);
  return { type: 'event', event };
}

function countOf({ count }: FlatFields, fields: FieldReader): number {
  return count === undefined ? 0 : fields.count(/^\d{1,10}$/.test(count.value) ? Number(count.value) : count.value, count.path);
}

const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{10}$/;

/** A time as Go, RFC 3339 or the epoch in seconds or milliseconds writes it. */
function timeOf(flat: FlatFields, field: 'first' | 'last', fields: FieldReader): number | undefined {
  const { value = '', path = '' } = flat[field] ?? {};
  if (MILLISECONDS.test(value)) return fields.time(new Date(Number(value)), path);
  if (SECONDS.test(value)) return fields.time(new Date(Number(value) * 1000), path);
  return fields.time(rfc3339OfGo(value), path);
}

import { isJsonObject } from './field-reader.js';
import { mendTemplate } from './mend-template.js';
import { readFlatEvent } from './read-flat-event.js';
import type { JsonObject, WireFormat } from './wire-format.js';

/**
 * kube-eventer's webhook: an object that a text template writes, `EventType`, `EventKind`, `EventReason`, `EventTime` and
 * `EventMessage` unless a custom template says otherwise. Nothing is escaped, so the body is often no JSON.
 */
export const kubeEventerFormat: WireFormat = {
  names: ['kube-eventer'],
  recognises: isOfTemplate,
  read: (value, now) => readFlatEvent(value, now),
  split(text) {
    const fields = mendTemplate(text);
    return isJsonObject(fields) && isOfTemplate(fields) ? [fields] : undefined;
  },
};

function isOfTemplate(value: JsonObject): boolean {
  const said = ['EventReason', 'EventMessage', 'EventKind', 'EventType'].filter((key) => value[key] !== undefined);
  return said.length >= 2;
}

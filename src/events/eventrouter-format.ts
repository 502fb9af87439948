import { isJsonObject } from './field-reader.js';
import { splitSyslog } from './split-syslog.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/**
 * eventrouter: `{"verb","event","old_event"}`, bare in its JSON sinks, as the message of octet-counted syslog lines in its
 * http sink. `old_event` is left alone: the event's count includes it. Vector's kubernetes_events source writes the same
 * shape with more fields.
 */
export const eventrouterFormat: WireFormat = {
  names: ['eventrouter'],
  recognises: (value) => isEventData(value) || namespaced(value) !== undefined,
  read(value): Finding {
    const { event } = namespaced(value) ?? value;
    if (isJsonObject(event)) return { type: 'elements', elements: [event], foreign: true };
    return { type: 'refusal', reason: 'event: eventrouter\'s {"verb","event"} was expected, but there is no event in it' };
  },
  readBytes: (bytes) => splitSyslog(bytes),
};

function isEventData({ verb, event }: JsonObject): boolean {
  return (verb === 'ADDED' || verb === 'UPDATED') && isJsonObject(event);
}

/** With `stdoutJSONNamespace` set, all of it lies under one key of that name. */
function namespaced(value: JsonObject): JsonObject | undefined {
  const keys = Object.keys(value);
  const inside = keys.length === 1 ? value[keys[0]!] : undefined;
  return isJsonObject(inside) && isEventData(inside) ? inside : undefined;
}

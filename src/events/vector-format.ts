import { isJsonObject } from './field-reader.js';
import { kubernetesFormat } from './kubernetes-format.js';
import { looksLikeJson, openWrappedText } from './open-wrapped-text.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/**
 * Vector's http sink: its log events are objects with `source_type`. The kubernetes_events source puts the whole Event under
 * `event`; other sources put the line that they read, here some sender's JSON, into `message`.
 */
export const vectorFormat: WireFormat = {
  names: ['vector'],
  recognises: (value) => typeof value.source_type === 'string' && !isEvent(value),
  read(value, now, headers): Finding {
    if (isJsonObject(value.event)) return { type: 'elements', elements: [value.event], foreign: true };
    if (!isEvent(value) && looksLikeJson(value.message)) return openWrappedText(value.message, 'message');
    return kubernetesFormat.read(isEvent(value) ? value : asLine(value), now, headers);
  },
};

/** A transform may have put the Event's own fields beside Vector's: then it is read as what it is. */
function isEvent(value: JsonObject): boolean {
  return isJsonObject(value.involvedObject) || isJsonObject(value.regarding);
}

/** A line of a log, with the time and the host that Vector gives it. */
function asLine({ message, host, timestamp }: JsonObject): JsonObject {
  return { message, source: { host }, lastTimestamp: timestamp };
}

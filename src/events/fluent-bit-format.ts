import { isJsonObject } from './field-reader.js';
import { kubernetesFormat } from './kubernetes-format.js';
import { looksLikeJson, openWrappedText } from './open-wrapped-text.js';
import { parseRfc3339 } from './parse-rfc3339.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/**
 * Fluent Bit's http output: what its kubernetes_events input read off the API server, with the record's time as `date`; or
 * lines of a log, such as another sender's output, as `log`.
 */
export const fluentBitFormat: WireFormat = {
  names: ['fluent-bit'],
  recognises: (value) => hasDate(value) && (isEvent(value) || isLine(value)),
  read(value, now, headers) {
    if (isEvent(value)) return withDate(kubernetesFormat.read(value, now, headers), value, now);
    for (const field of ['log', 'message']) {
      const text = value[field];
      if (looksLikeJson(text)) return openWrappedText(text, field);
    }
    return kubernetesFormat.read(value, now, headers);
  },
  readBytes([first = 0], headers) {
    if (first < MESSAGEPACK || headers['content-type']?.toLowerCase().startsWith('application/msgpack') !== true) return undefined;
    throw new UnreadableBodyError('UNKNOWN_SHAPE', 'The body is MessagePack, Fluent Bit\'s default; set "format json" in the http output.');
  },
};

function hasDate({ date }: JsonObject): boolean {
  return typeof date === 'number' || typeof date === 'string';
}

function isEvent(value: JsonObject): boolean {
  return isJsonObject(value.involvedObject) || isJsonObject(value.regarding);
}

function isLine(value: JsonObject): boolean {
  return looksLikeJson(value.log) || (value.reason === undefined && looksLikeJson(value.message));
}

/** Every array and map of MessagePack begins with a byte from here on, JSON never does. */
const MESSAGEPACK = 0x80;
const EARLIEST = Date.UTC(2014, 0, 1);

/** An Event without any time of its own happened when Fluent Bit says that it did: `date`, seconds since the epoch. */
function withDate(found: Finding, { date }: JsonObject, now: number): Finding {
  if (found.type !== 'event' || found.event.timed) return found;
  const at = typeof date === 'number' ? Math.floor(date * 1000) : parseRfc3339(String(date));
  if (!(at >= EARLIEST && at <= now)) return found;
  return { type: 'event', event: { ...found.event, firstAt: at, lastAt: at, timed: true } };
}

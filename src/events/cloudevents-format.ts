import type { ClusterEvent } from './cluster-event.js';
import { decodeUtf8 } from './decode-utf8.js';
import { FieldReader, isJsonObject } from './field-reader.js';
import { hashText } from './hash-text.js';
import { parseJsonText } from './parse-json-text.js';
import { showText, showValue } from './show-value.js';
import type { Finding, JsonObject, WireFormat, WireHeaders } from './wire-format.js';

/**
 * CloudEvents 1.0: an envelope around whatever a sender of any kind says. Structured, it is one JSON object, in a batch an array
 * of them; in binary mode the body is the data itself and the attributes are `ce-` headers. An Event of Kubernetes inside, or
 * any other format, is read as if it had come alone; other data becomes an event that says what the envelope says.
 */
export const cloudeventsFormat: WireFormat = {
  names: ['cloudevents', 'argo-events'],
  recognises: (value, headers) => isBinary(headers) || isEnvelope(value) || isArgo(value),
  read(value, now, headers) {
    if (isBinary(headers)) return readData(attributesOf(headers), value, now);
    return isEnvelope(value) ? readStructured(value, now) : readData({}, value, now);
  },
  // Data in binary mode may be plain text.
  split: (text, headers) => (isBinary(headers) && !/json/i.test(headers['content-type'] ?? '') ? [{ text }] : undefined),
};

function isBinary(headers: WireHeaders): boolean {
  return headers['ce-specversion'] !== undefined;
}

function isEnvelope({ specversion, type }: JsonObject): boolean {
  return specversion !== undefined && type !== undefined;
}

/** What a resource event source of Argo Events says of an object, without its envelope when the trigger leaves that out. */
function isArgo({ type, body }: JsonObject): boolean {
  return (type === 'ADD' || type === 'UPDATE' || type === 'DELETE') && isJsonObject(jsonOf(body));
}

function attributesOf(headers: WireHeaders): JsonObject {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('ce-'))
      .map(([name, value]) => [name.slice(3), percentDecoded(value)]),
  );
}

/** Headers hold ASCII only; everything else is percent-encoded UTF-8. */
function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A sender that does not encode: a bare percent sign stands for itself.
    return value;
  }
}

function readStructured(envelope: JsonObject, now: number): Finding {
  const { specversion, data, data_base64: encoded } = envelope;
  if (typeof specversion !== 'string' || !specversion.startsWith('1.')) {
    return refusal(`specversion: ${showValue(specversion)} is not supported, 1.0 was expected`);
  }
  if (encoded === undefined || encoded === null) return readData(envelope, jsonOf(data), now);
  if (typeof encoded !== 'string') return refusal(`data_base64: ${showValue(encoded)} is not a text`);
  const text = textOfBase64(encoded);
  return text === undefined ? refusal('data_base64: is not base64 of a text in UTF-8') : readData(envelope, jsonOf(text), now);
}

/** Some senders put JSON into the envelope as a text; a text that only looks like JSON is a text. */
function jsonOf(data: unknown): unknown {
  return typeof data === 'string' && /^\s*[[{]/.test(data) ? (parseJsonText(data) ?? data) : data;
}

function textOfBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    // By hand: Uint8Array.from would make a list of all the characters first, ten times the size of a large body.
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}

function readData(envelope: JsonObject, data: unknown, now: number): Finding {
  if (Array.isArray(data)) return { type: 'elements', elements: data, foreign: true };
  if (!isJsonObject(data)) return readEnvelope(envelope, data, now);
  if (isArgo(data)) return { type: 'elements', elements: [jsonOf(data.body)], foreign: true };
  return isOfAnotherFormat(data) ? { type: 'elements', elements: [data], foreign: true } : readEnvelope(envelope, data, now);
}

/** Fields of which at least one is in every format that an envelope may carry. */
const MARKS = [
  'kind',
  'involvedObject',
  'regarding',
  'metadata',
  'reason',
  'items',
  'object',
  'event',
  'eventmeta',
  'EventReason',
  'alerts',
  'startsAt',
  'resourceLogs',
];

function isOfAnotherFormat(data: JsonObject): boolean {
  return MARKS.some((mark) => data[mark] !== undefined);
}

/** An event about nothing that is known: it says what the envelope says. */
function readEnvelope(envelope: JsonObject, data: unknown, now: number): Finding {
  const fields = new FieldReader(now);
  const id = fields.word(envelope.id, 'id');
  const source = fields.word(envelope.source, 'source');
  const at = fields.time(envelope.time, 'time');
  const event: ClusterEvent = {
    // Source and id together are what tells CloudEvents apart.
    uid: `cloudevent:${hashText(JSON.stringify([source, id]))}`,
    reason: fields.word(envelope.type, 'type'),
    message: fields.message(messageOf(data), 'data'),
    type: '',
    reporter: source,
    host: '',
    object: { kind: '', namespace: '', name: fields.word(envelope.subject, 'subject'), uid: '', container: '' },
    count: 1,
    firstAt: at ?? now,
    lastAt: at ?? now,
    timed: at !== undefined,
  };
  if (fields.fault !== '') return refusal(fields.fault);
  if (id === '' || event.reason === '') {
    const missing = id === '' ? 'id' : 'type';
    return refusal(`${missing}: a CloudEvent with a type and an id, or an Event of Kubernetes, was expected; data is ${shown(data)}`);
  }
  return { type: 'event', event };
}

function messageOf(data: unknown): string {
  if (data === undefined || data === null) return '';
  if (typeof data === 'string') return data;
  if (isJsonObject(data)) for (const value of [data.message, data.text]) if (typeof value === 'string') return value;
  try {
    return JSON.stringify(data);
  } catch {
    // What nests deeper than the stack cannot be shown; the rest of the envelope still tells something.
    return '';
  }
}

function shown(data: unknown): string {
  return typeof data === 'string' ? showText(data) : showValue(data);
}

function refusal(reason: string): Finding {
  return { type: 'refusal', reason };
}

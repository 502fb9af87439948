import protobuf from 'protobufjs/minimal.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { JsonObject } from './wire-format.js';

/** How the value of a field is written, or the message that it is. */
type FieldType = 'string' | 'bool' | 'int32' | 'int64' | 'fixed64' | 'double' | 'bytes' | (() => Message);

/** The fields of one protobuf message by their numbers; others are skipped. */
type Message = Readonly<Record<number, { name: string; type: FieldType; list?: true }>>;

// Names as in OTLP's JSON, so that both encodings are read by the same code behind this. Numbers as in opentelemetry-proto 1.x.
const ANY_VALUE: Message = {
  1: { name: 'stringValue', type: 'string' },
  2: { name: 'boolValue', type: 'bool' },
  3: { name: 'intValue', type: 'int64' },
  4: { name: 'doubleValue', type: 'double' },
  5: { name: 'arrayValue', type: () => ARRAY_VALUE },
  6: { name: 'kvlistValue', type: () => KEY_VALUES },
  7: { name: 'bytesValue', type: 'bytes' },
};
const KEY_VALUE: Message = { 1: { name: 'key', type: 'string' }, 2: { name: 'value', type: () => ANY_VALUE } };
const ARRAY_VALUE: Message = { 1: { name: 'values', type: () => ANY_VALUE, list: true } };
const KEY_VALUES: Message = { 1: { name: 'values', type: () => KEY_VALUE, list: true } };
const LOG_RECORD: Message = {
  1: { name: 'timeUnixNano', type: 'fixed64' },
  2: { name: 'severityNumber', type: 'int32' },
  3: { name: 'severityText', type: 'string' },
  5: { name: 'body', type: () => ANY_VALUE },
  6: { name: 'attributes', type: () => KEY_VALUE, list: true },
  11: { name: 'observedTimeUnixNano', type: 'fixed64' },
  12: { name: 'eventName', type: 'string' },
};
const RESOURCE: Message = { 1: { name: 'attributes', type: () => KEY_VALUE, list: true } };
const SCOPE_LOGS: Message = { 2: { name: 'logRecords', type: () => LOG_RECORD, list: true } };
const RESOURCE_LOGS: Message = {
  1: { name: 'resource', type: () => RESOURCE },
  2: { name: 'scopeLogs', type: () => SCOPE_LOGS, list: true },
};
const EXPORT_REQUEST: Message = { 1: { name: 'resourceLogs', type: () => RESOURCE_LOGS, list: true } };

/** As deep as protobuf's own decoders go. */
const DEEPEST = 100;
/** An empty message takes two bytes on the wire and some fifty times that in memory. */
const MOST_MESSAGES = 4_000_000;

/**
 * Decodes an OTLP ExportLogsServiceRequest from protobuf into the shape that its JSON encoding has. It reads the wire format by
 * tables of its own, because the reflection of protobufjs generates code at run time, which hardened processes forbid.
 *
 * @throws UnreadableBodyError when the bytes are no such message, nest too deep or hold too many messages
 */
export function decodeOtlp(bytes: Uint8Array): JsonObject {
  const reader = protobuf.Reader.create(bytes);
  const left = { messages: MOST_MESSAGES };
  try {
    return readMessage(reader, reader.len, EXPORT_REQUEST, 0, left);
  } catch (error) {
    if (error instanceof UnreadableBodyError) throw error;
    const what = error instanceof Error ? error.message : String(error);
    throw new UnreadableBodyError(
      'NOT_PROTOBUF',
      `The body is not an OTLP ExportLogsServiceRequest in protobuf: at byte ${reader.pos} of ${reader.len}: ${what}.`,
    );
  }
}

function readMessage(reader: protobuf.Reader, end: number, message: Message, depth: number, left: { messages: number }): JsonObject {
  if (depth > DEEPEST) throw new Error(`messages nest deeper than ${DEEPEST}`);
  if (left.messages-- === 0) throw new Error(`the body holds more than ${MOST_MESSAGES} messages; send smaller batches`);
  const result: Record<string, unknown> = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    const number = tag >>> 3;
    const field = Object.hasOwn(message, number) ? message[number] : undefined;
    if (field === undefined || (tag & 7) !== wireType(field.type)) {
      reader.skipType(tag & 7, depth, number);
      continue;
    }
    const value = readValue(reader, end, field.type, depth, left);
    if (!field.list) result[field.name] = value;
    else if (Array.isArray(result[field.name])) (result[field.name] as unknown[]).push(value);
    else result[field.name] = [value];
  }
  if (reader.pos !== end) throw new Error('a field reaches beyond the end of its message');
  return result;
}

function readValue(reader: protobuf.Reader, end: number, type: FieldType, depth: number, left: { messages: number }): unknown {
  switch (type) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      // 64 bits are text in OTLP's JSON too.
      return reader.int64().toString();
    case 'fixed64':
      return reader.fixed64().toString();
    case 'double':
      return reader.double();
    case 'bytes':
      // Nothing that Casebook looks for comes as bytes.
      reader.skip(reader.uint32());
      return '';
    default: {
      const inner = reader.uint32() + reader.pos;
      if (inner > end) throw new Error('a message reaches beyond the end of the one around it');
      return readMessage(reader, inner, type(), depth + 1, left);
    }
  }
}

function wireType(type: FieldType): number {
  if (type === 'bool' || type === 'int32' || type === 'int64') return 0;
  return type === 'fixed64' || type === 'double' ? 1 : 2;
}

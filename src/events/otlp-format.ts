import { decodeOtlp } from './decode-otlp.js';
import { listOf, plainObject, plainValue } from './otlp-value.js';
import { readOtlpEvent } from './read-otlp-event.js';
import { isJsonObject } from './field-reader.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/** One log record with what the resource around it says, all values plain. */
export class OtlpRecord {
  readonly record: JsonObject;
  readonly attributes: JsonObject;
  readonly resource: JsonObject;
  readonly body: unknown;

  constructor(record: JsonObject, resource: JsonObject) {
    this.record = record;
    this.attributes = plainObject(listOf(record, 'attributes'));
    this.resource = resource;
    this.body = plainValue(record.body);
  }
}

/**
 * Logs of OpenTelemetry (OTLP), as JSON or protobuf. The collector's k8s_events receiver spreads an Event over attributes, its
 * k8sobjects receiver sends the object itself as the body; any other record is a line of a log.
 */
export const otlpFormat: WireFormat = {
  names: ['opentelemetry', 'otlp'],
  recognises: (value) => value.resourceLogs !== undefined || value instanceof OtlpRecord,
  read(value, now) {
    if (value instanceof OtlpRecord) return readRecord(value, now);
    if (value.resourceLogs === undefined && Object.keys(value).length > 0) {
      return { type: 'refusal', reason: 'an OTLP ExportLogsServiceRequest was expected, but there is no resourceLogs' };
    }
    const elements = recordsOf(value);
    return elements.length === 0 ? { type: 'nothing' } : { type: 'elements', elements };
  },
  readBytes: (bytes, headers) => (isProtobuf(headers['content-type']) ? [decodeOtlp(bytes)] : undefined),
};

/** True for the media types that protobuf is sent as. */
export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/(x-)?protobuf\b/i.test(contentType?.trim() ?? '');
}

function recordsOf(request: JsonObject): unknown[] {
  return listOf(request, 'resourceLogs').flatMap((resourceLogs) => {
    const resource = isJsonObject(resourceLogs) ? plainObject(listOf(resourceLogs.resource, 'attributes')) : {};
    return listOf(resourceLogs, 'scopeLogs').flatMap((scopeLogs) =>
      listOf(scopeLogs, 'logRecords').map((record) => (isJsonObject(record) ? new OtlpRecord(record, resource) : record)),
    );
  });
}

/** An object in a body is whatever the sender watched, and is read as if it had come alone. */
function readRecord(record: OtlpRecord, now: number): Finding {
  const { body } = record;
  if (!isJsonObject(body) || Object.keys(body).length === 0) return readOtlpEvent(record, now);
  if (body.type === 'PullEnd') return { type: 'nothing' };
  return { type: 'elements', elements: [body], foreign: true };
}

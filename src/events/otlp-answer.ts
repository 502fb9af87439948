import protobuf from 'protobufjs/minimal.js';
import type { Rejection } from './cluster-event.js';

/** A response as it goes over the wire. */
export interface OtlpAnswer {
  contentType: string;
  body: string | Uint8Array;
}

const REASONS = 3;

/** The answer to logs that were taken, in the encoding that they came in: empty, or which records were refused and why. */
export function otlpSuccess(rejected: readonly Rejection[], asProtobuf: boolean): OtlpAnswer {
  const errorMessage = describe(rejected);
  if (!asProtobuf) {
    const partialSuccess = { rejectedLogRecords: String(rejected.length), errorMessage };
    return json(rejected.length === 0 ? {} : { partialSuccess });
  }
  const writer = protobuf.Writer.create();
  if (rejected.length > 0) {
    // ExportLogsServiceResponse.partial_success = 1 { rejected_log_records = 1, error_message = 2 }
    writer.uint32(10).fork().uint32(8).int64(rejected.length).uint32(18).string(errorMessage).ldelim();
  }
  return { contentType: 'application/x-protobuf', body: writer.finish() };
}

/** The answer to logs that were refused as a whole: a google.rpc.Status. `code` is one of gRPC's. */
export function otlpFailure(code: number, message: string, asProtobuf: boolean): OtlpAnswer {
  if (!asProtobuf) return json({ code, message });
  // google.rpc.Status { code = 1, message = 2 }
  const body = protobuf.Writer.create().uint32(8).int32(code).uint32(18).string(message).finish();
  return { contentType: 'application/x-protobuf', body };
}

function json(body: object): OtlpAnswer {
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function describe(rejected: readonly Rejection[]): string {
  const told = rejected.slice(0, REASONS).map(({ index, reason }) => `record ${index}: ${reason}`);
  const more = rejected.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

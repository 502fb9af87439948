import protobuf from 'protobufjs';

/** The messages of opentelemetry-proto that logs and traces consist of, for the reference implementation of protobuf. */
const { root } = protobuf.parse(`syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7; } }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message LogRecord { fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
    repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8; bytes trace_id = 9; bytes span_id = 10;
    fixed64 observed_time_unix_nano = 11; string event_name = 12; }
  message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
  message ExportLogsServiceRequest { repeated ResourceLogs resource_logs = 1; }
  message PartialSuccess { int64 rejected_log_records = 1; string error_message = 2; }
  message ExportLogsServiceResponse { PartialSuccess partial_success = 1; }
  message Status { int32 code = 1; string message = 2; }
  message SpanEvent { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
  message SpanLink { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4;
    uint32 dropped_attributes_count = 5; fixed32 flags = 6; }
  message SpanStatus { string message = 2; int32 code = 3; }
  message Span { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
    repeated SpanEvent events = 11; uint32 dropped_events_count = 12; repeated SpanLink links = 13; uint32 dropped_links_count = 14;
    SpanStatus status = 15; fixed32 flags = 16; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message TracePartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
  message ExportTraceServiceResponse { TracePartialSuccess partial_success = 1; }`);

type MessageName =
  'ExportLogsServiceRequest' | 'ExportLogsServiceResponse' | 'ExportTraceServiceRequest' | 'ExportTraceServiceResponse' | 'Status';

/** Encodes a message given as in OTLP's JSON. */
export function encodeProto(name: MessageName, value: object): Uint8Array {
  const type = root.lookupType(name);
  return type.encode(type.fromObject(value)).finish();
}

/** Decodes a message into what OTLP's JSON would say. */
export function decodeProto(name: MessageName, bytes: Uint8Array): Record<string, unknown> {
  const type = root.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
}

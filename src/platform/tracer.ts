/** What a span can say of itself: names of OpenTelemetry's conventions, or ones that begin with `casebook.`. Never a secret or a text from outside. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where a trace came from, as `traceparent` and `tracestate` of W3C Trace Context tell it. */
export interface RemoteParent {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  sampled: boolean;
  state?: string;
}

/** How a span is begun. */
export interface SpanOptions {
  /** `server` for a request that came, `client` for one that is sent; default neither. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** Spans of other traces that this work is for as well. */
  links?: readonly TraceSpan[];
}

/** A piece of work in a trace. */
export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** The header `traceparent` for a request that belongs to this work. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed; `type` is the kind of error, never its text. */
  fail(type: string): void;
  end(): void;
}

/** Begins spans and sends those that have ended. */
export interface Tracer {
  start(name: string, options: SpanOptions, parent?: TraceSpan | RemoteParent): TraceSpan;
  /** Sends what is left, within seconds, and nothing after that. */
  stop(): Promise<void>;
}

/** The kind of an error, for a span: its code, or the name of its class. */
export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : typeof name === 'string' ? name.slice(0, 40) : 'Error';
}

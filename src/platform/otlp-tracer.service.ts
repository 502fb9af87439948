import type { AttributeValue, Context, Span } from '@opentelemetry/api';
import { createTraceState, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, Sampler, SpanExporter } from '@opentelemetry/sdk-trace-node';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { randomUUID } from 'node:crypto';
import type { TracingConfig } from '../config/tracing-config.js';
import type { Logger } from './logger.service.js';
import type { RemoteParent, SpanAttributes, SpanOptions, Tracer, TraceSpan } from './tracer.js';
import { VERSION } from './version.loader.js';

/** What is left when the service stops is sent within this time, or not at all, milliseconds. */
const FAREWELL = 3_000;
/** A collector that stays away is told of this often, milliseconds. */
const TELL_EVERY = 60_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/**
 * Sends spans to a collector by OTLP over HTTP, from a queue of bounded length: what does not fit is dropped, and a collector that
 * refuses or hangs is no trouble to the service. Nothing of it is global, so that two services in one process do not mix their traces.
 */
export class OtlpTracer implements Tracer {
  readonly #provider: BasicTracerProvider;
  readonly #tracer;

  constructor(config: TracingConfig, logger: Logger) {
    const { url, headers, timeout, serviceName, resource } = config;
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeout });
    const attributes: Record<string, string> = {
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
      ...resource,
    };
    this.#provider = new BasicTracerProvider({
      sampler: samplerOf(config),
      resource: { attributes, merge: (other) => other ?? this.#provider['_resource'], getRawAttributes: () => Object.entries(attributes) },
      spanProcessors: [new BatchSpanProcessor(new TellingExporter(exporter as unknown as SpanExporter, logger))],
    });
    this.#tracer = this.#provider.getTracer('casebook', VERSION);
  }

  start(name: string, { kind, attributes = {}, links = [] }: SpanOptions, parent?: TraceSpan | RemoteParent): TraceSpan {
    const options = {
      kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
      attributes: attributes as Record<string, AttributeValue>,
      links: links.map((link) => ({ context: (link as OtlpSpan).context })),
    };
    return new OtlpSpan(this.#tracer.startSpan(name, options, contextOf(parent)));
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FAREWELL)));
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

/** A span as the rest of the program knows it. */
class OtlpSpan implements TraceSpan {
  constructor(readonly span: Span) {}

  get context() {
    return this.span.spanContext();
  }

  get traceId(): string {
    return this.context.traceId;
  }

  get spanId(): string {
    return this.context.spanId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.context;
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes as Record<string, AttributeValue>);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** Tells of a collector that does not take spans, once in a while, and never what it was sent or where its secrets stand. */
class TellingExporter implements SpanExporter {
  #lost = 0;
  #toldAt = -Infinity;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, (result) => {
      if (result.code === 0) this.#taken();
      else this.#failed(spans.length, result.error);
      done({ code: 0 });
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  #failed(count: number, error: Error | undefined): void {
    this.#lost += count;
    const now = performance.now();
    if (now - this.#toldAt < TELL_EVERY) return;
    this.#toldAt = now;
    const { code, name } = (error ?? {}) as { code?: number | string; name?: string };
    // The message could repeat what a proxy or the collector was sent.
    this.logger.warn(
      { lost: this.#lost, why: String(code ?? name ?? 'unknown') },
      'spans could not be sent to the collector; the service goes on',
    );
    this.#lost = 0;
  }

  #taken(): void {
    if (this.#toldAt === -Infinity) return;
    this.#toldAt = -Infinity;
    this.logger.info({ lost: this.#lost }, 'the collector takes spans again');
    this.#lost = 0;
  }
}

function contextOf(parent: TraceSpan | RemoteParent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  if (parent instanceof OtlpSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const { traceId, spanId, sampled, state } = parent as RemoteParent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith('ratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanOptions, Tracer, TraceSpan } from './tracer.js';
import { errorType } from './tracer.js';

/** What is known, wherever in the program, of the work that is being done. */
export interface WorkContext {
  /** Of the request that it is done for. */
  requestId?: string;
  /** Id of the caller whom it is done for; absent when it is not known. */
  caller?: string | undefined;
  /** Absent when nothing is traced. */
  tracer?: Tracer | undefined;
  /** The span that new ones go under. */
  span?: TraceSpan | undefined;
  /** What the line of the request in the log tells besides. */
  notes?: Record<string, string | number | undefined>;
}

const storage = new AsyncLocalStorage<WorkContext | undefined>();

/** What is known of the work that is being done; undefined where nobody said. */
export function currentContext(): WorkContext | undefined {
  return storage.getStore();
}

/** Does work, and everything that it begins, in a context. */
export function inContext<T>(context: WorkContext | undefined, work: () => T): T {
  return storage.run(context, work);
}

/** Begins what goes on after the request that happened to begin it: timers and loops, which would be taken for its work for ever. */
export function detached<T>(work: () => T): T {
  return storage.run({ tracer: storage.getStore()?.tracer }, work);
}

/** Adds to the line that the log has of the request being answered. */
export function noteInRequest(notes: Record<string, string | number | undefined>): void {
  const context = storage.getStore();
  if (context?.notes) Object.assign(context.notes, notes);
}

/** Which request, and which trace, a line of the log belongs to. */
export function fieldsForLog(): { requestId?: string; traceId?: string; spanId?: string } {
  const { requestId, span } = storage.getStore() ?? {};
  return { ...(requestId !== undefined && { requestId }), ...(span && { traceId: span.traceId, spanId: span.spanId }) };
}

/** Does work under a span of the trace that is being followed; without one, just does it. */
export function withSpan<T>(name: string, options: SpanOptions, work: (span?: TraceSpan) => Promise<T>): Promise<T> {
  const context = storage.getStore();
  return context?.tracer && context.span ? spanned(context, context.tracer.start(name, options, context.span), work) : work();
}

/** Does work that nobody asked for under a trace of its own; when nothing is traced, just does it. */
export function withTrace<T>(name: string, options: SpanOptions, work: (span?: TraceSpan) => Promise<T>): Promise<T> {
  const { tracer } = storage.getStore() ?? {};
  return tracer ? spanned({ tracer }, tracer.start(name, options), work) : work();
}

function spanned<T>(context: WorkContext, span: TraceSpan, work: (span: TraceSpan) => Promise<T>): Promise<T> {
  return storage.run({ ...context, span }, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

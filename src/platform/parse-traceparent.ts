import type { RemoteParent } from './tracer.js';

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MOST_STATE = 512;

/** Reads the headers of W3C Trace Context; undefined for none, and for a `traceparent` that is not one. */
export function parseTraceparent(parent: unknown, state?: unknown): RemoteParent | undefined {
  const [, version, traceId, spanId, flags, rest] = (typeof parent === 'string' && PARENT.exec(parent.trim())) || [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  const kept = typeof state === 'string' && state.length <= MOST_STATE ? { state } : {};
  return { traceId: traceId!, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & 1) === 1, ...kept };
}

import type { FastifyRequest } from 'fastify';
import zlib from 'node:zlib';

/** How much of a body is looked at, in bytes; of a compressed one this much gives at most a megabyte. */
const LOOKED_AT = 4096;
const COMPRESSED = 1024;
/** Fields of an element that are shown at most. */
const MOST_FIELDS = 200;

/** The beginning of a request's body as text, or of one element of it. Never throws for what a body may be. */
export function beginningOf(request: FastifyRequest, element?: unknown): string {
  if (element !== undefined) return beginningOfElement(element);
  const { body, headers } = request;
  if (!(body instanceof Uint8Array)) return '';
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  const bytes = encoding === '' || encoding === 'identity' ? body : inflateBeginning(body, encoding);
  return bytes === undefined
    ? `(${encoding.slice(0, 20)} data that cannot be read)`
    : new TextDecoder().decode(bytes.subarray(0, LOOKED_AT));
}

/** The beginning of an element: a line as it came, a value as JSON; empty when it is not known. */
export function beginningOfElement(element: unknown): string {
  return (typeof element === 'string' ? element : jsonOf(element)).slice(0, LOOKED_AT);
}

/** As JSON, without walking through all of a large value. */
function jsonOf(value: unknown): string {
  let left = MOST_FIELDS;
  const shortened = (_key: string, inner: unknown): unknown => {
    if (left-- <= 0) return undefined;
    if (typeof inner === 'string') return inner.slice(0, LOOKED_AT);
    if (typeof inner === 'bigint') return String(inner);
    return Array.isArray(inner) ? inner.slice(0, MOST_FIELDS) : inner;
  };
  return JSON.stringify(value, shortened) ?? '';
}

function inflateBeginning(body: Uint8Array, encoding: string): Uint8Array | undefined {
  const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const beginning = body.subarray(0, COMPRESSED);
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(beginning, options);
    if (encoding !== 'deflate') return undefined;
    return ((beginning[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(beginning, options) : zlib.inflateRawSync(beginning, options);
  } catch {
    // Damaged data is one of the reasons to be refused.
    return undefined;
  }
}

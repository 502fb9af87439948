import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { RequestError } from './refusal.js';

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

/**
 * Undoes the Content-Encoding of a body: gzip, deflate (with and without zlib's header) or none.
 *
 * @param limit largest result in bytes
 * @throws RequestError TOO_LARGE, BAD_INPUT for damaged bytes, UNSUPPORTED_ENCODING for another encoding
 */
export async function inflateBody(body: Uint8Array, encoding: string | undefined, limit: number): Promise<Uint8Array> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const undo =
    name === 'gzip' || name === 'x-gzip' ? gunzip : name === 'deflate' ? (hasZlibHeader(body) ? inflate : inflateRaw) : undefined;
  if (!undo) {
    throw new RequestError(
      'UNSUPPORTED_ENCODING',
      `The Content-Encoding ${JSON.stringify(name.slice(0, 40))} is not supported; use gzip, deflate or none.`,
    );
  }
  try {
    return await undo(body, { maxOutputLength: limit });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new RequestError('TOO_LARGE', `The body is larger than ${limit} bytes when decompressed.`);
    if (code === 'Z_BUF_ERROR') throw new RequestError('BAD_INPUT', `The body ends in the middle of its ${name} data.`);
    throw new RequestError('BAD_INPUT', `The body is not ${name} data: ${message}.`);
  }
}

/** The standard wants zlib's header around deflate; several senders leave it out. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

import { RequestError } from '../platform/refusal.js';

/** Reads a body that has to be one JSON object. Throws RequestError BAD_INPUT. */
export function readJson(body: Uint8Array | undefined): object {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new RequestError('BAD_INPUT', `The body is not JSON in UTF-8: ${(error as Error).message}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new RequestError('BAD_INPUT', 'The body has to be a JSON object.');
}

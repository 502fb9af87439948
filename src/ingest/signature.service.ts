import { createHmac, timingSafeEqual } from 'node:crypto';
import { RequestError } from '../platform/refusal.js';

/** How far the time of a signature may lie from ours, seconds. A body that is sent again within it does no harm. */
export const SIGNATURE_TOLERANCE = 300;

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i;

/**
 * Checks the header X-Casebook-Signature, `t=<unix seconds>,v1=<hex>`: the HMAC-SHA-256, under one of the secrets, of `<t>.` and the
 * body as it was sent (before any decompression). `now` in milliseconds.
 *
 * @throws RequestError UNAUTHENTICATED that says which part is wrong
 */
export function checkSignature(header: string, body: Uint8Array, secrets: readonly string[], now: number): void {
  const [, time, signature] = SIGNATURE.exec(header.trim()) ?? [];
  if (time === undefined || signature === undefined) throw refused('it has to be "t=<unix seconds>,v1=<64 hex digits>"');
  if (secrets.length === 0) throw refused('the cluster has no valid signing secret');
  const off = Math.round(Number(time) - now / 1000);
  if (Math.abs(off) > SIGNATURE_TOLERANCE) {
    throw refused(
      `its time is ${Math.abs(off)} seconds ${off < 0 ? 'behind' : 'ahead of'} ours; at most ${SIGNATURE_TOLERANCE} are allowed`,
    );
  }
  const sent = Buffer.from(signature, 'hex');
  // Every secret is tried, so that the time it takes tells nothing.
  const fits = secrets.map((secret) => timingSafeEqual(createHmac('sha256', secret).update(`${time}.`).update(body).digest(), sent));
  if (!fits.includes(true)) throw refused('it does not fit the body as it was sent and any valid signing secret of the cluster');
}

function refused(why: string): RequestError {
  return new RequestError('UNAUTHENTICATED', `The header X-Casebook-Signature is refused: ${why}.`);
}

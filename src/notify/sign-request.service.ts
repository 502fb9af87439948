import { createHmac } from 'node:crypto';
import type { Preset, WebhookSecrets } from '../store/webhook.js';
import { contentTypeOf } from './render-body.js';

/** A request that is ready to be sent. */
export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A message as it was kept. */
export interface KeptMessage {
  id: string;
  kind: string;
  body: string;
  attempts: number;
}

/**
 * Puts secrets and signatures to a message, each service's own way. `now` in milliseconds; signatures carry it, so that each attempt
 * is signed anew while the Idempotency-Key stays the same.
 */
export function signRequest(preset: Preset, { url, secret, headers }: WebhookSecrets, message: KeptMessage, now: number): SignedRequest {
  const seconds = Math.floor(now / 1000);
  const request: SignedRequest = {
    url,
    body: message.body,
    headers: {
      ...headers,
      'content-type': contentTypeOf(preset),
      'user-agent': 'Casebook-Webhook',
      'idempotency-key': message.id,
      'x-casebook-delivery': message.id,
      'x-casebook-event': message.kind,
      'x-casebook-attempt': String(message.attempts),
    },
  };
  if (secret === undefined) return request;
  switch (preset) {
    case 'pagerduty':
      return { ...request, body: JSON.stringify({ routing_key: secret, ...(JSON.parse(message.body) as object) }) };
    case 'dingtalk': {
      const signed = new URL(url);
      signed.searchParams.set('timestamp', String(now));
      signed.searchParams.set('sign', hmac(secret, `${now}\n${secret}`));
      return { ...request, url: signed.href };
    }
    case 'feishu': {
      // The text is the key here, and nothing is what is signed.
      const sign = hmac(`${seconds}\n${secret}`, '');
      return { ...request, body: JSON.stringify({ timestamp: String(seconds), sign, ...(JSON.parse(message.body) as object) }) };
    }
    default: {
      const signature = createHmac('sha256', secret).update(`${seconds}.`).update(message.body).digest('hex');
      return { ...request, headers: { ...request.headers, 'x-casebook-signature': `t=${seconds},v1=${signature}` } };
    }
  }
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

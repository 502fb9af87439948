import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../src/notify/sign-request.service.js';
import type { Preset } from '../../src/store/webhook.js';

const NOW = 1_790_000_000_123;
const message = { id: 'key', kind: 'OPENED', body: '{"a":1}', attempts: 2 };
const sign = (preset: Preset, secret?: string, url = 'https://hooks.example.com/robot?access_token=t') =>
  signRequest(preset, { url, headers: {}, ...(secret !== undefined && { secret }) }, message, NOW);

describe('signRequest', () => {
  it('signs time and body as clusters sign what they send', () => {
    const { headers, body } = sign('generic', 'secret');
    const expected = createHmac('sha256', 'secret').update(`1790000000.${body}`).digest('hex');
    expect(headers).toMatchObject({
      'x-casebook-signature': `t=1790000000,v1=${expected}`,
      'idempotency-key': 'key',
      'x-casebook-attempt': '2',
    });
    expect(sign('generic').headers).not.toHaveProperty('x-casebook-signature');
  });

  it('signs for DingTalk in the address: HMAC of time and secret under the secret', () => {
    const { url, body } = sign('dingtalk', 'SECabc');
    const query = new URL(url).searchParams;
    expect(query.get('access_token')).toBe('t');
    expect(query.get('timestamp')).toBe('1790000000123');
    expect(query.get('sign')).toBe(createHmac('sha256', 'SECabc').update('1790000000123\nSECabc').digest('base64'));
    expect(body).toBe(message.body);
  });

  it('signs for Feishu in the body: HMAC of nothing under time and secret', () => {
    const { body } = sign('feishu', 'feishu-secret');
    expect(JSON.parse(body)).toEqual({
      timestamp: '1790000000',
      sign: createHmac('sha256', '1790000000\nfeishu-secret').update('').digest('base64'),
      a: 1,
    });
  });

  it('puts the routing key into what PagerDuty gets', () => {
    expect(JSON.parse(sign('pagerduty', 'R0UTING').body)).toEqual({ routing_key: 'R0UTING', a: 1 });
  });

  it('says that CloudEvents are CloudEvents', () => {
    expect(sign('cloudevents').headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  });
});

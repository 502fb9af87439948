import { describe, expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.js';

const JWT = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJl-_x';
const OWN = `cb_${'aB3-'.repeat(10)}xyz`;

describe('redactSecrets', () => {
  it('takes the password out of a PostgreSQL address', () => {
    expect(redactSecrets('cannot reach postgresql://casebook:p%40:ss@db:5432/casebook now')).toBe(
      'cannot reach postgresql://casebook:***@db:5432/casebook now',
    );
  });

  it('takes bearer tokens out', () => {
    expect(redactSecrets('{"a":"authorization: bearer abc.DEF-1_2~3"}')).toBe('{"a":"authorization: bearer ***"}');
  });

  it.each([
    ['a password in any address', 'pull from https://robot:hunter2@registry.example/x', 'pull from https://robot:***@registry.example/x'],
    ['a field', '{"password":"hunter2","kind":"Event"}', '{"password":"***","kind":"Event"}'],
    ['a field with quotes in its value', String.raw`{"token":"a\"b","x":1}`, String.raw`{"token":"***","x":1}`],
    ['a longer name', '{"dbPassword" : "hunter2", "client_secret": "x y"}', '{"dbPassword" : "***", "client_secret": "***"}'],
    [
      'a field of JSON inside JSON',
      String.raw`{"log":"{\"api_key\":\"k-123\",\"n\":1}"}`,
      String.raw`{"log":"{\"api_key\":\"***\",\"n\":1}"}`,
    ],
    [
      'such a field with quotes in its value',
      String.raw`{"log":"{\"secret\":\"a\\\"b\",\"n\":1}"}`,
      String.raw`{"log":"{\"secret\":\"***\",\"n\":1}"}`,
    ],
    ['a field that is cut off', '{"reason":"Failed","token":"s3cr3t-and-mo', '{"reason":"Failed","token":"***'],
    ['a parameter', 'GET /v1/events?access_token=s3cr3t&format=otlp', 'GET /v1/events?access_token=***&format=otlp'],
    ['an environment variable', 'env DB_PASSWORD=hunter2 MODE=x', 'env DB_PASSWORD=*** MODE=x'],
    ['a header', 'X-Api-Key: s3cr3t, accept: text', 'X-Api-Key: ***, accept: text'],
    ['a line of YAML', 'user: bob\n  password: hunter2\nmode: x', 'user: bob\n  password: ***\nmode: x'],
    ['basic credentials', 'Authorization: Basic dXNlcjpodW50ZXIy', 'Authorization: Basic ***'],
    ['a service account token', `login with ${JWT} failed`, 'login with *** failed'],
    ['a service account token that is cut off', `login with ${JWT.slice(0, 30)}`, 'login with ***'],
    ['a token of a cluster', `{"x":"${OWN}"}`, '{"x":"***"}'],
    ['keys of clouds and forges', 'AKIAIOSFODNN7EXAMPLE ghp_0123456789abcdefghij0123 LTAI5tAbCdEfGhIjKlMn', '*** *** ***'],
    ['a private key', '{"k":"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----"}', '{"k":"***PRIVATE KEY***"}'],
    ['a private key that is cut off', 'tls -----BEGIN PRIVATE KEY-----\nMIIEvQ', 'tls ***PRIVATE KEY***'],
  ])('takes out %s', (_what, text, left) => expect(redactSecrets(text)).toBe(left));

  it.each([
    'mail@host https://a:80/b@c bearer',
    '{"kind":"Event","reason":"FailedMount","message":"MountVolume.SetUp failed for volume \\"web-token-x\\" : secret \\"web-tls\\" not found"}',
    'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id.',
    "Error: couldn't find key password in Secret shop/db",
    'image registry.example:5000/team/app@sha256:0123456789abcdef',
    '{"metadata":{"uid":"9f1c2d7e-5d1c-4b0e-9d55-6a5f1f0c7a10","resourceVersion":"123"}}',
  ])('leaves %s alone', (text) => expect(redactSecrets(text)).toBe(text));
});

import { describe, expect, it } from 'vitest';
import { extractCode } from './extract-code.js';
import { normaliseMessage } from './normalise-message.js';
import { squeezeText } from './squeeze-text.js';

const codeOf = (message: string): string | undefined => extractCode(squeezeText(normaliseMessage(message)))?.code;

describe('extractCode', () => {
  it.each([
    ['Ingress Sync ClientError. ErrorCode: E4011 Details: Ingress: a/b', 'E4011'],
    ['IngressError. ErrorCode:E4047, Details', 'E4047'],
    ['Service Sync Success. RetrunCode: S2000', 'S2000'],
    ['x ReturnCode: E5003', 'E5003'],
    ['E4019 Can not use lb', 'E4019'],
    ['E4019: Can not use lb', 'E4019'],
    ['W1001 CreateLoadBalancer again', 'W1001'],
    ['Error\nCode: E40\n11 Details', 'E4011'],
    ['{\\"ErrorCode\\":\\"E4027\\"}', 'E4027'],
    ['ErrorCode：E4009 详情', 'E4009'],
    ['(combined from similar events): E4000 limit', 'E4000'],
  ])('finds the code of %s', (message, code) => {
    expect(codeOf(message)).toBe(code);
  });

  it.each([
    'W1001 14:15:31.372225 26037 checks.go:835] detected',
    'W1001 14:15:31.372225 26037 ...',
    'W1002 09:00:00.000001 1 main.go:1] x',
    'Pulled image app:E4011-rc1',
    'E4011-rc1 is pulled',
    'sha256:6bde69ea46cdef55e4012c6d',
    'ErrorCode: E40111',
    'E40111 something',
    'the error E4011 was seen',
  ])('finds none in %s', (message) => {
    expect(codeOf(message)).toBeUndefined();
  });
});

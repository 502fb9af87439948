import { describe, expect, it } from 'vitest';
import { postgresArguments } from './postgres-arguments.js';

const GIGABYTE = 2 ** 30;
const buffers = (memory: number, durable = true): string | undefined =>
  postgresArguments({ dataDirectory: '/data', port: 1, durable, memory }).find((argument) => argument.startsWith('shared_buffers='));

describe('the memory of the embedded server', () => {
  it.each([
    [GIGABYTE / 4, '64MB'],
    [GIGABYTE, '128MB'],
    [2.5 * GIGABYTE, '320MB'],
    [64 * GIGABYTE, '512MB'],
  ])('is an eighth of that of the machine, within bounds: %i bytes', (memory, expected) => {
    expect(buffers(memory)).toBe(`shared_buffers=${expected}`);
  });

  it('is little where many servers with throw-away data run', () => {
    expect(buffers(64 * GIGABYTE, false)).toBe('shared_buffers=64MB');
  });
});

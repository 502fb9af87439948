import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.service.js';

afterEach(() => void vi.useRealTimers());

describe('EventStream', () => {
  it('does nothing for a client that has left before it began', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
      client.destroy();
      await once(response, 'close');
      const beat = vi.fn<() => undefined>();
      const stream = new EventStream({ raw: response, hijack: () => undefined, getHeaders: () => ({}) } as unknown as FastifyReply, beat);
      const gone = vi.fn<() => void>();
      stream.onClose(gone);
      await vi.advanceTimersByTimeAsync(60_000);
      expect([gone.mock.calls.length, beat.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0, 0]);
    } finally {
      server.close();
    }
  });
});

import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ChangeFeed } from '../../src/api/live/change-feed.service.js';
import { CallerCheck } from '../../src/platform/access.js';
import { e4011 } from '../support/core-event.js';
import { CHANGES, subscribe } from '../support/live-client.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

const AUTH = { CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN };
const start = async (env: Record<string, string> = {}): Promise<void> => void (casebook = await startTestCasebook({ ...AUTH, ...env }));
const authorization = `Bearer ${ADMIN_TOKEN}`;
const INIT = JSON.stringify({ type: 'connection_init', payload: { authorization } });

afterEach(async () => {
  vi.restoreAllMocks();
  await casebook?.stop();
});

/** Opens a connection that says nothing by itself. */
async function connect(headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${casebook.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  await once(socket, 'open');
  return socket;
}

/** Asks for changes under one id, and without waiting takes it back and asks anew, so that several run under it. */
function subscribeAgain(socket: WebSocket, times: number): void {
  ask(socket, '1');
  for (let i = 1; i < times; i++) {
    complete(socket, '1');
    ask(socket, '1');
  }
}

const ask = (socket: WebSocket, id: string): void =>
  socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query: 'subscription { incidentChanged { kind } }' } }));
const complete = (socket: WebSocket, id: string): void => socket.send(JSON.stringify({ type: 'complete', id }));

/** What comes over a connection from now on. */
function answersOf(socket: WebSocket): string[] {
  const answers: string[] = [];
  socket.on('message', (data) => answers.push(String(data)));
  return answers;
}

/** Shows a token, and waits for the welcome. */
async function comeIn(socket: WebSocket): Promise<void> {
  socket.send(INIT);
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(String(message)).toContain('connection_ack');
}

const streams = (count: number): Promise<void> =>
  vi.waitFor(
    async () => expect((await casebook.send('GET', '/metrics', { token: ADMIN_TOKEN })).body).toContain(`casebook_live_streams ${count}\n`),
    {
      timeout: 5_000,
    },
  );

describe('subscriptions of one connection', () => {
  it('all end with it, also those that ran under one id', async () => {
    await start();
    const socket = await connect();
    await comeIn(socket);
    await casebook.register('prod');
    const answers = answersOf(socket);
    subscribeAgain(socket, 3);
    await streams(3);
    await casebook.post('prod', e4011({ name: 'told' }));
    await vi.waitFor(() => expect(answers).toHaveLength(3), { timeout: 5_000 });
    socket.terminate();
    await streams(0);
  });

  it('are 20 at most, also when they run under one id', async () => {
    await start();
    const open = vi.spyOn(casebook.app.get(ChangeFeed), 'subscribe');
    const socket = await connect();
    await comeIn(socket);
    subscribeAgain(socket, 25);
    const answers = answersOf(socket);
    socket.send('{"type":"ping"}');
    await vi.waitFor(() => expect(answers).toContain('{"type":"pong"}'), { timeout: 5_000 });
    expect(open).toHaveBeenCalledTimes(20);
    socket.terminate();
  });

  it('make room for others when they end', async () => {
    await start();
    const socket = await connect();
    await comeIn(socket);
    const ids = Array.from({ length: 20 }, (_, i) => String(i));
    for (const id of ids) ask(socket, id);
    await streams(20);
    for (const id of ids) complete(socket, id);
    await streams(0);
    ask(socket, 'one more');
    await streams(1);
    socket.terminate();
  });
});

describe('connections that have not been let in', () => {
  it('take no place of those who have shown a token', async () => {
    await start({ CASEBOOK_MAX_SUBSCRIPTIONS: '2' });
    await casebook.register('prod');
    const silent = await Promise.all(Array.from({ length: 5 }, () => connect()));
    const subscription = await subscribe(casebook.url, CHANGES, { params: { authorization } });
    await casebook.post('prod', e4011({ name: 'told' }));
    expect(await subscription.next(1)).toMatchObject([{ data: { incidentChanged: { kind: 'OPENED' } } }]);
    for (const socket of silent) socket.terminate();

    const [second, third] = [await connect(), await connect()];
    await comeIn(second);
    // Both places are taken now: who waits is sent away, and who comes is not taken in.
    const closed = once(third, 'close');
    third.send(INIT);
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1013, expect.stringContaining('2 connections are open')]);
    await expect(connect()).rejects.toThrow('503');

    await subscription.close();
    await vi.waitFor(async () => comeIn(await connect()), { timeout: 5_000 });
    second.terminate();
  });

  it('are bounded for each address, so that others get in', async () => {
    await start({ CASEBOOK_TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
    // Those who say nothing are closed after five seconds; these wait for the check of their token, as long as the test wants.
    const callers = casebook.app.get(CallerCheck);
    const admit = callers.admit.bind(callers);
    let check = (): void => undefined;
    const checked = new Promise<void>((resolve) => (check = resolve));
    vi.spyOn(callers, 'admit').mockImplementation((...args) => checked.then(() => admit(...args)));
    const sockets = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const socket = await connect(from(`2001:db8::${i.toString(16)}`));
        socket.send(INIT);
        return socket;
      }),
    );
    await expect(connect(from('2001:db8::ffff'))).rejects.toThrow('503');
    sockets.push(await connect(from('2001:db8:0:1::1')));
    // Whoever is let in waits no more.
    check();
    await once(sockets[0]!, 'message');
    sockets.push(await vi.waitFor(() => connect(from('2001:db8::ffff')), { timeout: 5_000 }));
    for (const socket of sockets) socket.terminate();
  });
});

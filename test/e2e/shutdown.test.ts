import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coreEvent } from '../support/core-event.js';
import { ServiceProcess } from '../support/service-process.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { WEBHOOK_ENV } from '../support/webhooks.js';

const EVENTS = '/v1/clusters/prod/events';

let database: TestDatabase;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await service.kill();
  await database.drop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await ServiceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...env });
}

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(new URL(path, service.url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function register(): Promise<void> {
  expect((await post('/v1/clusters', { name: 'prod', provider: 'KUBERNETES' })).status).toBe(201);
}

const eventOf = (uid: string): Record<string, unknown> =>
  coreEvent({ uid, reason: 'BackOff', message: 'Back-off restarting failed container' });

/** Uids of the Events that are stored. */
async function stored(): Promise<string[]> {
  const { rows } = await database.pool.query<{ uid: string }>('SELECT uid FROM event ORDER BY uid');
  return rows.map(({ uid }) => uid);
}

/** A connection of which the test sends every byte itself. */
async function open(): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}

function postOf(uid: string): { head: string; body: string } {
  const body = JSON.stringify(eventOf(uid));
  return { head: `POST ${EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body };
}

/** Resolves once nobody is let in any more. */
async function closedDoor(): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const refused = async (): Promise<boolean> => {
    const socket = connect(Number(port), hostname);
    try {
      await once(socket, 'connect');
      return false;
    } catch {
      return true;
    } finally {
      socket.destroy();
    }
  };
  await waitUntil(refused, Boolean);
}

describe('SIGTERM', { timeout: 60_000 }, () => {
  it('finishes every request that was begun, however little of it has come, and lets nobody else in', async () => {
    await start({ CASEBOOK_STOP_TIMEOUT_MS: '60000' });
    await register();
    const [early, late, idle, used] = [await open(), await open(), await open(), await open()];
    const { head, body } = postOf('body-begun');
    early.socket.write(head + body.slice(0, 40));
    const second = postOf('head-begun');
    late.socket.write(second.head.slice(0, 20));
    const third = postOf('before');
    used.socket.write(third.head + third.body);
    await waitUntil(used.received, (answer) => answer.includes('"accepted":1'));

    service.signal('SIGTERM');
    await closedDoor();
    // Those on which nothing was begun are closed at once.
    await Promise.all([idle.closed, used.closed]);
    expect(idle.received()).toBe('');
    early.socket.write(body.slice(40));
    late.socket.write(second.head.slice(20) + second.body);
    await Promise.all([early.closed, late.closed]);
    for (const { received } of [early, late]) {
      expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(received()).toMatch(/\r\nconnection: close\r\n/i);
      expect(received()).toContain('{"accepted":1,"merged":0,"rejected":[]}');
    }
    await waitUntil(
      () => service.ended,
      (code) => code !== undefined,
    );
    expect(service.ended).toBe(0);
    expect(await stored()).toEqual(['before', 'body-begun', 'head-begun']);
  });

  it('says first that it is not ready, and takes requests until the others have heard; a second signal ends it at once', async () => {
    await start({ CASEBOOK_STOP_DELAY_MS: '300000' });
    await register();
    const kept = await open();
    const first = postOf('before');
    kept.socket.write(first.head + first.body);
    await waitUntil(kept.received, (answer) => answer.includes('"accepted":1'));
    expect(kept.received()).not.toMatch(/\r\nconnection: close\r\n/i);

    service.signal('SIGTERM');
    const ready = await waitUntil(
      async () => fetch(new URL('/readyz', service.url)),
      ({ status }) => status === 503,
    );
    expect(await ready.json()).toEqual({ status: 'not ready', missing: ['the service is stopping'] });
    expect((await fetch(new URL('/healthz', service.url))).status).toBe(200);
    const second = postOf('meanwhile');
    kept.socket.write(second.head + second.body);
    await kept.closed;
    expect(kept.received().split('HTTP/1.1 ')).toEqual([
      '',
      expect.stringMatching(/^200/),
      expect.stringMatching(/^200.*connection: close/is),
    ]);
    expect((await post(EVENTS, eventOf('new-connection'))).status).toBe(200);

    await waitUntil(
      () => {
        service.signal('SIGTERM');
        return service.ended;
      },
      (code) => code !== undefined,
    );
    expect(service.ended).toBe(1);
    expect(await stored()).toEqual(['before', 'meanwhile', 'new-connection']);
  });

  it('in a storm loses nothing that it has answered, and whatever it has not answered can be sent again', async () => {
    await start({ LOG_LEVEL: 'warn' });
    await register();
    const agent = new Agent({ keepAlive: true, maxSockets: 12 });
    const answered = new Set<string>();
    const repeat = new Set<string>();
    const outcomes = new Set<string>();
    let stopping: Promise<number | null> | undefined;
    const send = (uid: string): Promise<string> =>
      new Promise((done) => {
        const sent = request(new URL(EVENTS, service.url), { method: 'POST', agent });
        let begun = false;
        sent.on('error', (error: NodeJS.ErrnoException) => done(begun ? 'cut' : `none: ${error.code}`));
        sent.on('response', (answer: IncomingMessage) => {
          begun = true;
          answer.on('error', () => done('cut'));
          answer.on('end', () => done(`answer: ${answer.statusCode}`));
          answer.resume();
        });
        sent.end(JSON.stringify([eventOf(uid), eventOf(`${uid}-too`)]));
      });
    const sender = async (name: number): Promise<void> => {
      for (let i = 0; ; i++) {
        const uid = `event-${name}-${i}`;
        const outcome = await send(uid);
        outcomes.add(outcome);
        if (outcome === 'answer: 200') answered.add(uid);
        else repeat.add(uid);
        if (outcome.startsWith('none')) return;
        if (answered.size >= 150) stopping ??= service.stop();
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, i) => sender(i)));
    agent.destroy();
    expect(await stopping).toBe(0);
    expect(service.printed).not.toMatch(/"level":[56]0/);
    // Refused, or reset before anything was answered: never half an answer.
    for (const outcome of outcomes) expect(outcome).toMatch(/^(answer: 200|none: (ECONNREFUSED|ECONNRESET|EPIPE))$/);
    const durable = new Set(await stored());
    expect([...answered].filter((uid) => !durable.has(uid) || !durable.has(`${uid}-too`))).toEqual([]);

    await start();
    for (const uid of repeat) expect((await post(EVENTS, [eventOf(uid), eventOf(`${uid}-too`)])).status).toBe(200);
    const { rows } = await database.pool.query<{ counted: number }>('SELECT sum(growth)::int AS counted FROM sighting');
    expect(rows[0]!.counted).toBe(2 * (answered.size + repeat.size));
    expect(await service.stop()).toBe(0);
  });

  it('waits for ever neither for a body that does not come nor for a receiver, whose message the next one sends', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.behave('/slow', 'hang');
    const env = { ...WEBHOOK_ENV, CASEBOOK_WEBHOOK_TIMEOUT_MS: '60000', CASEBOOK_STOP_TIMEOUT_MS: '100' };
    await start(env);
    await register();
    const query = 'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const made = await post('/graphql', { query, variables: { input: { name: 'slow', preset: 'GENERIC', url: receiver.url('/slow') } } });
    expect(await made.json()).toMatchObject({ data: { createWebhook: { id: expect.any(String) } } });
    const { socket, received, closed } = await open();
    const { head, body } = postOf('never');
    socket.write(head + body.slice(0, 40));
    expect((await post(EVENTS, eventOf('told'))).status).toBe(200);
    await waitUntil(() => receiver.of('/slow').length, Boolean);
    expect(await service.stop()).toBe(0);
    await closed;
    expect(received()).toBe('');
    expect(await stored()).toEqual(['told']);

    receiver.behave('/slow', { status: 200 });
    await start(env);
    await waitUntil(
      () => receiver.of('/slow').length,
      (count) => count > 1,
    );
    const [lost, again] = receiver.of('/slow').map(({ headers }) => headers);
    expect(again!['idempotency-key']).toBe(lost!['idempotency-key']);
    expect(again!['x-casebook-attempt']).toBe('2');
    await receiver.stop();
  });
});

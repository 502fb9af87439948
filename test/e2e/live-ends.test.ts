import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { CallerCheck } from '../../src/platform/access.js';
import { Clock } from '../../src/platform/clock.js';
import { RequestError } from '../../src/platform/refusal.js';
import { e4011 } from '../support/core-event.js';
import { cuttableLine } from '../support/cuttable-line.js';
import { CHANGES, openEvents, subscribe } from '../support/live-client.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import { createTestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const metrics = async (casebook: TestCasebook, token?: string): Promise<string> =>
  (await casebook.send('GET', '/metrics', { token })).body as string;

describe('a service that asks for tokens', () => {
  let casebook: TestCasebook;
  let ofCluster: string;

  beforeEach(async () => {
    // Hours of the streams pass when the test says so; everything else takes its time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
    ofCluster = await casebook.register('prod');
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await casebook?.stop();
  });

  it('lets in who has one, and ends streams whose token is not good any more', async () => {
    const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
    const refused = [
      [{}, 4401, /A token is needed/],
      [{ params: bearer('x'.repeat(20)) }, 4401, /not known/],
      [{ headers: bearer(ofCluster) }, 4403, /events of its own cluster/],
    ] as const;
    for (const [options, code, reason] of refused) {
      const subscription = await subscribe(casebook.url, CHANGES, options);
      expect(await subscription.outcome()).toMatchObject({ code, reason: expect.stringMatching(reason) });
    }
    expect((await casebook.send('GET', '/v1/incidents/changes')).status).toBe(401);
    expect((await casebook.send('GET', '/v1/incidents/changes', { token: ofCluster })).status).toBe(403);

    const sockets = [
      await subscribe(casebook.url, CHANGES, { params: bearer(ADMIN_TOKEN) }),
      await subscribe(casebook.url, CHANGES, { headers: { ...bearer(ADMIN_TOKEN), origin: 'https://portal.example' } }),
    ];
    const events = await openEvents(`${casebook.url}/v1/incidents/changes`, bearer(ADMIN_TOKEN));
    const [start] = await events.marks.next(1);
    await casebook.post('prod', e4011({ name: 'with-token' }));
    for (const stream of [...sockets, events.changes]) await stream.next(1);

    // Heartbeats go through a quiet stream, and tell where to resume from.
    await vi.advanceTimersByTimeAsync(15_000);
    const [beat] = await events.marks.next(1);
    expect(beat).toEqual({ id: expect.any(String) });
    expect(beat!.id).not.toBe(start!.id);

    const admit = vi
      .spyOn(casebook.app.get(CallerCheck), 'admit')
      .mockRejectedValue(new RequestError('UNAUTHENTICATED', 'The token was revoked.'));
    await vi.advanceTimersByTimeAsync(15_000);
    for (const socket of sockets) expect(await socket.outcome()).toEqual({ code: 4401, reason: 'The token was revoked.' });
    expect(await events.changes.outcome()).toBe('closed');
    expect(events.changes.all.at(-1)).toEqual({ event: 'end', data: { code: 'UNAUTHENTICATED' } });
    admit.mockRestore();
    await vi.waitFor(async () => expect(await metrics(casebook, ADMIN_TOKEN)).toContain('casebook_live_streams 0'), { timeout: 5_000 });
  });
});

describe('a service whose database is away for a while', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('keeps streams whose token it cannot check meanwhile, over WebSocket and as Server-Sent Events', async () => {
    const database = await createTestDatabase();
    const line = await cuttableLine(database.url);
    const casebook = await startTestCasebook({
      CASEBOOK_AUTH: 'required',
      CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
      DATABASE_URL: line.url,
      LOG_LEVEL: 'fatal',
    });
    try {
      await casebook.register('prod');
      const { data } = await casebook.graphql('mutation { createApiToken(input: { name: "portal", role: VIEWER }) { token } }');
      const bearer = { authorization: `Bearer ${data['createApiToken'].token}` };
      const socket = await subscribe(casebook.url, CHANGES, { params: bearer });
      const events = await openEvents(`${casebook.url}/v1/incidents/changes`, bearer);
      await events.marks.next(1);
      await vi.advanceTimersByTimeAsync(15_000);
      await events.marks.next(1);
      // A subscription is open when it tells something.
      let posted = 0;
      const counts = async (): Promise<number[]> => {
        await casebook.post('prod', e4011({ name: `before-${posted++}` }));
        return [socket.all.length, events.changes.all.length];
      };
      await waitUntil(counts, (told) => told.every((count) => count > 0));

      await line.cut();
      // What was known of the token is too old by then.
      const at = Date.now() + 60_000;
      const clock = vi.spyOn(casebook.app.get(Clock), 'now').mockImplementation(() => at);
      const admit = vi.spyOn(casebook.app.get(CallerCheck), 'admit');
      const settled = (): string[] => admit.mock.settledResults.map(({ type, value }) => `${type} ${(value as { code?: string }).code}`);
      // The streams were not opened at the same moment, and each looks every thirty seconds from its own.
      const aSecondLater = async (): Promise<string[]> => vi.advanceTimersByTimeAsync(1000).then(settled);
      await waitUntil(aSecondLater, (results) => results.filter((result) => result.startsWith('rejected')).length === 2);
      expect(settled()).toEqual(['rejected DATABASE_UNAVAILABLE', 'rejected DATABASE_UNAVAILABLE']);

      clock.mockRestore();
      await line.mend();
      await casebook.post('prod', e4011({ name: 'afterwards' }));
      const last = (): string[] => [socket.all, events.changes.all].map((all) => JSON.stringify(all.at(-1)));
      await waitUntil(last, (told) => told.every((change) => change.includes('afterwards')));
      expect([socket.ended, events.changes.ended]).toEqual([undefined, undefined]);
      await socket.close();
      events.close();
    } finally {
      vi.useRealTimers();
      await casebook.stop();
      await line.cut();
      await database.drop();
    }
  });
});

describe('a stream', () => {
  let casebook: TestCasebook;

  beforeEach(async () => {
    casebook = await startTestCasebook({ CASEBOOK_MAX_UNDELIVERED: '40' });
    await casebook.register('prod');
  });
  afterEach(() => casebook?.stop());

  it('that nobody reads is cut before it fills the memory', async () => {
    // Some 130 kB a change: the network itself holds a few megabytes back.
    const wide = Array.from({ length: 28 }, (_, i) => `e${i}: events(first: 1) { nodes { message } }`).join(' ');
    const socket = new WebSocket(`${casebook.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    socket.send(
      JSON.stringify({ type: 'subscribe', id: '1', payload: { query: `subscription { incidentChanged { incident { ${wide} } } }` } }),
    );
    const { port } = new URL(casebook.url);
    const idle = connect(Number(port), '127.0.0.1');
    idle.write('GET /v1/incidents/changes HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    idle.pause();
    // One that reads: with what it has got, all were served.
    const reader = await openEvents(`${casebook.url}/v1/incidents/changes`);
    await reader.marks.next(1);
    await vi.waitFor(async () => expect(await metrics(casebook)).toContain('casebook_live_streams 3'), { timeout: 5_000 });
    socket.pause();
    const message = (i: number): string =>
      `Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id. ${String(i).repeat(4600)}`;
    // Half of what may wait at a time, so that only who does not read falls behind.
    for (let sent = 0; !(await metrics(casebook)).includes('casebook_live_streams_cut_total{reason="TOO_SLOW"} 1'); sent += 20) {
      await casebook.post(
        'prod',
        Array.from({ length: 20 }, (_, i) => e4011({ name: `wide-${sent + i}`, message: message(sent + i) })),
      );
      await reader.changes.next(20);
    }
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    // The other's changes are small: the network takes them all, and it stays.
    expect(await metrics(casebook)).toContain('casebook_live_streams 2');
    idle.destroy();
    reader.close();
  });

  it('is closed at once when the service stops, in words that tell to come back', async () => {
    const socket = await subscribe(casebook.url);
    const events = await openEvents(`${casebook.url}/v1/incidents/changes`);
    await events.marks.next(1);
    await vi.waitFor(async () => expect(await metrics(casebook)).toContain('casebook_live_streams 2'), { timeout: 5_000 });
    await casebook.stop();
    expect(await socket.outcome()).toMatchObject({ code: 1001 });
    expect(await events.changes.next(1)).toEqual([{ event: 'end', data: { code: 'GOING_AWAY' } }]);
    casebook = await startTestCasebook();
  });
});

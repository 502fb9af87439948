import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ChangeFeed } from '../../src/api/live/change-feed.service.js';
import { IncidentChangeRepository } from '../../src/store/incident-change.repository.js';
import { crash, e4011 } from '../support/core-event.js';
import { CHANGES, openEvents, subscribe } from '../support/live-client.js';
import type { LiveSubscription } from '../support/live-client.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_MAX_UNDELIVERED: '50', CASEBOOK_MAX_SUBSCRIPTIONS: '30' });
  await casebook.register('prod');
  await casebook.register('test');
});
afterAll(() => casebook?.stop());

const cursorOfNow = async (): Promise<string> =>
  (await casebook.graphql('{ incidentChangeCursor }')).data['incidentChangeCursor'] as string;
const ingress = (name: string): Record<string, unknown> => e4011({ name });
/** The success that ends the trouble of an Ingress. */
const success = (name: string): Record<string, unknown> =>
  e4011({ name, reason: 'EnsureServiceSuccess', message: 'Ingress Sync Success. RetrunCode: S2000', at: new Date().toISOString() });

interface Told {
  data: {
    incidentChanged: { cursor: string; kind: string; status: string; statusBefore: string | null; incident: { subject: { name: string } } };
  };
}
const tell = ({ data: { incidentChanged: change } }: Told): string => `${change.kind} ${change.incident.subject.name}`;

/** What a subscription was told instead of changes: before it ran, or as its first and last answer. */
async function refusalOf(subscription: LiveSubscription): Promise<unknown> {
  const outcome: unknown = await subscription.outcome();
  return outcome === 'complete' ? subscription.all[0]?.errors : outcome;
}

describe('incidentChanged over WebSocket', () => {
  it('tells of changes as they happen, and of no others', async () => {
    await casebook.post('prod', ingress('before'));
    const subscription = await subscribe(casebook.url);
    const after = await cursorOfNow();
    await casebook.post('prod', ingress('live-1'));
    const [opened] = await subscription.next(1);
    expect(opened.data.incidentChanged).toMatchObject({
      kind: 'OPENED',
      statusBefore: null,
      status: 'OPEN',
      incident: { status: 'OPEN', subject: { name: 'live-1' }, cluster: { name: 'prod' }, problem: { id: 'tke/ingress/E4011' } },
    });
    await casebook.post('prod', [ingress('live-1'), ingress('live-2')]);
    expect((await subscription.next(1)).map(tell)).toEqual(['OPENED live-2']);
    // The second event of live-1 is growth, which is gathered.
    await casebook.app.get(IncidentChangeRepository).tellGrowth();
    expect((await subscription.next(1)).map(tell)).toContain('UPDATED live-1');
    await subscription.close();

    const resumed = await subscribe(casebook.url, CHANGES, { variables: { after, filter: { kinds: ['Ingress'] } } });
    const replayed = await resumed.next(3);
    expect(replayed.map(tell)).toEqual(subscription.all.map(tell));
    expect(replayed).toEqual(
      subscription.all.map((told: Told) =>
        expect.objectContaining({
          data: expect.objectContaining({ incidentChanged: expect.objectContaining({ cursor: told.data.incidentChanged.cursor }) }),
        }),
      ),
    );
    const fromSecond = await subscribe(casebook.url, CHANGES, { variables: { after: replayed[0].data.incidentChanged.cursor } });
    expect((await fromSecond.next(2)).map(tell)).toEqual(replayed.slice(1).map(tell));
    await Promise.all([resumed.close(), fromSecond.close()]);
  });

  it('filters as lists do, and tells of what leaves a list', async () => {
    const after = await cursorOfNow();
    const filters = {
      cluster: { clusters: ['test'] },
      problem: { problems: ['kubernetes/container/crash-loop'] },
      open: { statuses: ['OPEN'], kinds: ['Ingress'] },
      resolved: { statuses: ['RESOLVED'] },
      search: { search: 'find-me' },
      code: { codes: ['e4011'], namespaces: ['other'] },
    };
    const subscriptions = Object.fromEntries(
      await Promise.all(
        Object.entries(filters).map(
          async ([name, filter]) => [name, await subscribe(casebook.url, CHANGES, { variables: { filter, after } })] as const,
        ),
      ),
    );
    await casebook.post('prod', [ingress('find-me'), e4011({ name: 'elsewhere', namespace: 'other' })]);
    await casebook.post('test', crash({ name: 'shop-6d4cf56db6-x2x5p' }));
    await casebook.post('prod', success('find-me'));
    const end = { name: 'the-end', namespace: 'other' };
    await casebook.post('test', [e4011(end), crash({ ...end, name: 'the-end-6d4cf56db6-x2x5p' })]);
    const told = async (name: string, count: number): Promise<string[]> => (await subscriptions[name]!.next(count)).map(tell).toSorted();
    expect(await told('cluster', 3)).toEqual(['OPENED shop', 'OPENED the-end', 'OPENED the-end']);
    expect(await told('problem', 2)).toEqual(['OPENED shop', 'OPENED the-end']);
    expect(await told('open', 4)).toEqual(['OPENED elsewhere', 'OPENED find-me', 'OPENED the-end', 'RESOLVED find-me']);
    expect(await told('resolved', 1)).toEqual(['RESOLVED find-me']);
    expect(await told('search', 2)).toEqual(['OPENED find-me', 'RESOLVED find-me']);
    expect(await told('code', 2)).toEqual(['OPENED elsewhere', 'OPENED the-end']);
    for (const subscription of Object.values(subscriptions)) {
      expect(subscription.ended).toBeUndefined();
      await subscription.close();
    }
  });

  it('tells of an incident that goes into that of a workload, whoever its filter lists it to', async () => {
    const after = await cursorOfNow();
    const query = `subscription ($filter: IncidentFilter, $after: String) { incidentChanged(filter: $filter, after: $after) {
      kind statusBefore status mergedInto
      incident { id status resolvedAt resolvedBy subject { kind name } cluster { name } affected { name } episodes { startedAt } events { nodes { id } } }
    } }`;
    const [pods, sets, elsewhere] = await Promise.all(
      [{ kinds: ['Pod'], statuses: ['OPEN'] }, { kinds: ['StatefulSet'] }, { clusters: ['test'] }].map((filter) =>
        subscribe(casebook.url, query, { variables: { filter, after } }),
      ),
    );
    const pod = crash({ name: 'db-0', namespace: 'merging' });
    await casebook.post('prod', pod);
    const involvedObject = {
      ...(pod['involvedObject'] as object),
      ownerReferences: [{ kind: 'StatefulSet', name: 'db', controller: true }],
    };
    await casebook.post('prod', { ...crash({ name: 'db-0', namespace: 'merging' }), involvedObject });
    interface Change {
      incident: { id: string };
    }
    const changeOf = ({ data }: { data: { incidentChanged: Change } }): Change => data.incidentChanged;
    const [opened, gone] = (await pods!.next(2)).map(changeOf);
    const [set] = (await sets!.next(1)).map(changeOf);
    expect([opened, set]).toMatchObject([
      { kind: 'OPENED', mergedInto: null },
      { kind: 'OPENED', mergedInto: null },
    ]);
    expect(gone).toEqual({
      kind: 'RESOLVED',
      statusBefore: 'OPEN',
      status: 'RESOLVED',
      mergedInto: set!.incident.id,
      incident: {
        id: opened!.incident.id,
        status: 'RESOLVED',
        resolvedAt: expect.any(String),
        resolvedBy: 'MERGED',
        subject: { kind: 'Pod', name: 'db-0' },
        cluster: { name: 'prod' },
        affected: [],
        episodes: [],
        events: { nodes: [] },
      },
    });
    await casebook.post('test', crash({ name: 'after-6d4cf56db6-x2x5p' }));
    expect((await elsewhere!.next(1)).map(changeOf)).toMatchObject([{ kind: 'OPENED', incident: { cluster: { name: 'test' } } }]);
    await Promise.all([pods!, sets!, elsewhere!].map((subscription) => subscription.close()));
  });

  it.each([
    ['a query', '{ clusters { name } }', 'BAD_INPUT', /Only subscriptions go over WebSocket/],
    ['a syntax error', 'subscription { incidentChanged { ', 'BAD_INPUT', /Syntax Error/],
    ['an unknown field', 'subscription { incidentChanged { nothing } }', 'BAD_INPUT', /nothing/],
    ['two roots', 'subscription { incidentChanged { kind } other: incidentChanged { kind } }', 'BAD_INPUT', /one top level field/],
    [
      'depth',
      `subscription { incidentChanged { incident { problem { ${'related { '.repeat(9)} id ${'} '.repeat(9)} } } } }`,
      'TOO_LARGE',
      /depth/i,
    ],
    [
      'aliases',
      `subscription { incidentChanged { ${Array.from({ length: 40 }, (_, i) => `a${i}: kind`).join(' ')} } }`,
      'TOO_LARGE',
      /alias/i,
    ],
    [
      'width',
      `subscription { incidentChanged { incident { problem { ${[1, 2, 3, 4, 5].map((i) => `a${i}: ${'related { '.repeat(6)} id ${'} '.repeat(6)}`).join(' ')} } } } }`,
      'TOO_LARGE',
      /more than 50000 objects/,
    ],
    ['tokens', `subscription { incidentChanged { ${'kind '.repeat(2500)} } }`, 'TOO_LARGE', /tokens/],
    ['a bad time', `subscription { incidentChanged(filter: { seenAfter: "yesterday" }) { kind } }`, 'BAD_INPUT', /RFC 3339/],
    [
      'a bad filter',
      `subscription { incidentChanged(filter: { search: "${'x'.repeat(300)}" }) { kind } }`,
      'BAD_INPUT',
      /search is longer/,
    ],
    ['a cursor of another list', `subscription { incidentChanged(after: "WzEsMl0") { kind } }`, 'BAD_CURSOR', /cursor/],
  ])('refuses %s as the door over HTTP does', async (_what, query, code, message) => {
    const subscription = await subscribe(casebook.url, query);
    expect(await refusalOf(subscription)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(message), extensions: expect.objectContaining({ code }) }),
    ]);
    await subscription.close();
  });

  it('refuses a wrong variable', async () => {
    const subscription = await subscribe(casebook.url, CHANGES, { variables: { filter: { seenAfter: 'yesterday' } } });
    expect(await refusalOf(subscription)).toMatchObject([
      { message: expect.stringContaining('RFC 3339'), extensions: { code: 'BAD_INPUT' } },
    ]);
    await subscription.close();
  });

  it('tells who comes with a cursor that is too old to read the list again', async () => {
    const after = await cursorOfNow();
    await casebook.database.pool.query(`INSERT INTO incident_change_dropped (xid, seq) VALUES (pg_current_xact_id(), 1)`);
    const subscription = await subscribe(casebook.url, CHANGES, { variables: { after } });
    expect(await refusalOf(subscription)).toMatchObject([
      { extensions: { code: 'CURSOR_EXPIRED' }, message: expect.stringContaining('read the list again') },
    ]);
    const sse = await casebook.send('GET', `/v1/incidents/changes?after=${after}`);
    expect(sse).toMatchObject({ status: 410, body: { error: { code: 'CURSOR_EXPIRED' } } });
    await casebook.database.pool.query('DELETE FROM incident_change_dropped');
    await subscription.close();
  });

  it('refuses more subscriptions than one connection and this replica may have', async () => {
    const socket = new WebSocket(`${casebook.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const errors: { id: string; payload: { extensions: { code: string } }[] }[] = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { type: string } & (typeof errors)[number];
      if (message.type === 'error') errors.push(message);
    });
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    for (let i = 0; i < 21; i++) {
      socket.send(JSON.stringify({ type: 'subscribe', id: String(i), payload: { query: 'subscription { incidentChanged { kind } }' } }));
    }
    await once(socket, 'message');
    expect(errors).toMatchObject([{ id: '20', payload: [{ extensions: { code: 'TOO_LARGE' } }] }]);
    // 20 of 30 are taken by now, or will be; a new connection takes the rest.
    const others = await Promise.all(Array.from({ length: 11 }, () => subscribe(casebook.url)));
    const ended = await Promise.race(others.map(refusalOf));
    expect(ended).toMatchObject([{ extensions: { code: 'BUSY', retryAfterSeconds: 30 } }]);
    socket.terminate();
    await Promise.all(others.map((other) => other.close()));
    await vi.waitFor(async () => expect((await casebook.send('GET', '/metrics')).body).toContain('casebook_live_streams 0'), {
      timeout: 5_000,
    });
  });

  it('delivers nothing that lies outside of the scope of the caller', async () => {
    const stream = await casebook.app.get(ChangeFeed).subscribe({ filter: {}, scope: { clusters: ['prod'], namespaces: ['scoped'] } });
    await casebook.post('prod', [ingress('stranger'), e4011({ name: 'mine', namespace: 'scoped' })]);
    await casebook.post('test', e4011({ name: 'elsewhere', namespace: 'scoped' }));
    await casebook.post('prod', e4011({ name: 'mine-too', namespace: 'scoped' }));
    const seen: string[] = [];
    while (seen.length < 2) {
      const { value, done } = await stream.next();
      if (done) throw new Error('it ended');
      seen.push(...value.map(({ incident }) => incident.subject.name));
    }
    expect(seen).toEqual(['mine', 'mine-too']);
    await stream.return();
  });

  it('asks the database as often for twenty subscribers as for one', async () => {
    const feed = casebook.app.get(ChangeFeed);
    const changes = casebook.app.get(IncidentChangeRepository);
    const asked = [vi.spyOn(changes, 'matching'), vi.spyOn(changes, 'incidents')];
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => feed.subscribe({ filter: { kinds: ['Ingress'] }, scope: { clusters: null, namespaces: null } })),
    );
    for (const spy of asked) spy.mockClear();
    await casebook.post('prod', ingress('for-all'));
    const first = await Promise.all(streams.map((stream) => stream.next()));
    expect(first.map(({ value }) => value![0]!.incident.subject.name)).toEqual(streams.map(() => 'for-all'));
    for (const spy of asked) {
      expect(spy).toHaveBeenCalledTimes(1);
      spy.mockRestore();
    }
    await Promise.all(streams.map((stream) => stream.return()));
  });

  it('answers upgrades of other paths with 404 and closes', async () => {
    const { port } = new URL(casebook.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 404 /);
    await once(socket, 'close');
  });

  it('lets no page of another origin in without a token', async () => {
    const foreign = await subscribe(casebook.url, CHANGES, { headers: { origin: 'https://elsewhere.example' } });
    expect(await foreign.outcome()).toMatchObject({ code: 4403, reason: expect.stringContaining('origin') });
    const own = await subscribe(casebook.url, CHANGES, { headers: { origin: casebook.url } });
    expect(own.ended).toBeUndefined();
    await own.close();
  });
});

describe('GET /v1/incidents/changes', () => {
  it('streams the same changes, resumable by Last-Event-ID', async () => {
    const stream = await openEvents(`${casebook.url}/v1/incidents/changes?clusters=prod,test&kinds=Ingress&statuses=open`);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    const [start] = await stream.marks.next(1);
    expect(start).toEqual({ id: expect.any(String) });
    await casebook.post('prod', [ingress('sse-1'), crash({ name: 'sse-other-6d4cf56db6-x2x5p' })]);
    const [opened] = await stream.changes.next(1);
    expect(opened).toMatchObject({
      id: expect.any(String),
      data: {
        cursor: opened!.id,
        kind: 'OPENED',
        statusBefore: null,
        status: 'open',
        severity: 'error',
        incident: {
          cluster: 'prod',
          problem: 'tke/ingress/E4011',
          title: expect.any(String),
          code: 'E4011',
          status: 'open',
          subject: { kind: 'Ingress', namespace: 'shop', name: 'sse-1' },
          occurrences: 1,
          resolvedAt: null,
          diagnosis: { matchedOn: expect.stringContaining('E4011') },
        },
      },
    });
    stream.close();
    await casebook.post('prod', ingress('sse-2'));
    const oldest = start!.id!;
    for (const from of [{ after: opened!.id! }, { after: oldest, headers: { 'last-event-id': opened!.id! } }]) {
      const again = await openEvents(`${casebook.url}/v1/incidents/changes?kinds=Ingress&after=${from.after}`, from.headers);
      expect((await again.changes.next(1))[0]?.data.incident.subject.name).toBe('sse-2');
      again.close();
    }
  });

  it.each([
    ['statuses=broken', /statuses may hold open, acknowledged, resolved/],
    ['subject=web', /subject has to be kind\/namespace\/name/],
    ['seenAfter=yesterday', /seenAfter: expected a time in RFC 3339/],
    ['cluster=prod', /"cluster" is no parameter; there are clusters/],
    ['after=nonsense!', /cursor is damaged/],
    [`clusters=${'x,'.repeat(600)}`, /more than 500 values/],
  ])('refuses %s with a clear error', async (query, message) => {
    const { status, body } = await casebook.send('GET', `/v1/incidents/changes?${query}`);
    expect(status).toBe(400);
    expect(body.error.message).toMatch(message);
  });

  it('answers HEAD without a stream', async () => {
    const { status, headers } = await casebook.send('HEAD', '/v1/incidents/changes');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { clusterEvent, putEvent, putPod } from '../support/api-server-under-test.js';
import type { ClusterEventSaid } from '../support/api-server-under-test.js';
import type { ApiObject } from '../support/fake-api-store.js';
import { FakeApiServer } from '../support/fake-api-server.js';
import { FollowedCluster, kubeConfigOf } from '../support/followed-cluster.js';
import { seededRandom } from '../support/seeded-random.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let intake: TestIntake;
let recogniser: Recogniser;
let server: FakeApiServer;
let cluster: FollowedCluster;

beforeAll(async () => {
  [database, recogniser] = await Promise.all([createTestDatabase(), bundledRecogniser()]);
  intake = new TestIntake(database.url);
});
beforeEach(async () => {
  server = await FakeApiServer.start();
  cluster = await FollowedCluster.register(intake, recogniser, () => kubeConfigOf(server));
});
afterEach(async () => {
  await cluster.stop().catch(() => undefined);
  await server.stop();
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

/** Puts an Event straight into the store, about a Pod of its own name. */
function put(name: string, said: Partial<ClusterEventSaid> = {}): void {
  server.store.put('events', clusterEvent({ name, pod: name, ...said }) as unknown as ApiObject);
}

/** Follows, and tells of these Events while it watches. */
async function watching(...events: string[]): Promise<void> {
  cluster.follow();
  await cluster.watching();
  for (const name of events) put(name);
  await cluster.stored(Object.fromEntries(events.map((name) => [name, 1])));
}

/** Every pause so far, as `FAULT milliseconds`. */
function delays(): string[] {
  return cluster.states.flatMap((state) => (state.phase === 'waiting' ? [`${state.code} ${state.delayMs}`] : []));
}

describe('a watch whose connection breaks', () => {
  it('reads an event whole after its line was cut in the middle', async () => {
    await watching('one');
    server.watches[0]!.cutNextLine();
    put('two', { message: 'Back-off restarting failed container 北京 in pod two' });
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.faults).toEqual(['NETWORK']);
    expect(cluster.lists).toBe(1);
    expect(cluster.batches.flatMap(({ rejected }) => rejected)).toEqual([]);
  });

  it('survives connections that are reset while it lists, while it watches and while it asks', async () => {
    put('one');
    server.failNext('list', 'cut');
    server.failNext('list', 'reset');
    cluster.follow();
    await cluster.stored({ one: 1 });
    await cluster.watching();
    server.failNext('watch', 'reset', 2);
    server.resetConnections();
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    expect(await cluster.occurrences()).toBe(2);
    expect(new Set(cluster.faults)).toEqual(new Set(['NETWORK']));
  });

  it('notices a server that says nothing any more and does not close either', async () => {
    put('one');
    cluster.follow({ idleMs: 150 });
    await cluster.watching();
    server.fallSilent();
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.faults).toContain('SILENT');
  });

  it('does not wait for ever for an answer', async () => {
    put('one');
    server.failNext('list', 'hang');
    cluster.follow({ answerMs: 100 });
    await cluster.stored({ one: 1 });
    expect(cluster.faults).toContain('SILENT');
  });

  it('is patient with a server that is slow to answer', async () => {
    put('one');
    const release = server.holdAnswers();
    cluster.follow();
    await cluster.until(
      () => server.openConnections > 0,
      () => 'it connects',
    );
    expect(cluster.faults).toEqual([]);
    release();
    await cluster.stored({ one: 1 });
    expect(cluster.faults).toEqual([]);
  });

  it('goes on when the server ends a watch after its time', async () => {
    await watching('one');
    const [first] = server.watches;
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    first!.end();
    await cluster.until(
      () => server.watches.length === 1 && server.watches[0] !== first,
      () => 'it watches anew',
    );
    put('three');
    await cluster.stored({ one: 1, two: 1, three: 1 });
    expect(cluster.faults).toEqual([]);
    expect(cluster.lists).toBe(1);
  });

  it('leaves no socket open', async () => {
    await watching('one');
    expect(server.openConnections).toBeGreaterThan(0);
    await cluster.stop();
    await cluster.until(
      () => server.openConnections === 0,
      () => `all ${server.openConnections} sockets are closed`,
    );
    expect(cluster.state).toEqual({ phase: 'stopped' });
  });

  it('makes few connections for many requests', async () => {
    for (let i = 0; i < 60; i++) put(`many-${i}`);
    cluster.follow(
      { pageSize: 2 },
      { objects: { findOpen: async () => ({ objects: [], next: undefined }), tell: () => undefined, tellFailure: () => undefined } },
    );
    await cluster.watching();
    expect(server.asked.filter((asked) => asked === 'list events').length).toBe(30);
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

describe('a watch of a server that refuses', () => {
  it('asks for new credentials when its token is refused', async () => {
    await watching('one');
    expect(cluster.connects).toBe(1);
    server.tokens = new Map([['watcher-token-2', 'casebook']]);
    server.watches[0]!.end();
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.faults).toEqual(['UNAUTHORIZED']);
    expect(cluster.connects).toBe(2);
    expect(cluster.lists).toBe(1);
  });

  it.each(['event', 'status'] as const)('reads everything anew when its position has expired, told as %s', async (expiredAs) => {
    server.expiredAs = expiredAs;
    await watching('one');
    await cluster.stop();
    put('one', { count: 3 });
    server.store.delete('events', 'default', 'one');
    put('two');
    await server.compact();
    put('three');
    cluster.follow();
    await cluster.stored({ one: 1, two: 1, three: 1 });
    expect([cluster.lists, cluster.expiries, cluster.faults]).toEqual([2, 1, []]);
    expect(await cluster.occurrences()).toBe(3);
  });

  it('backs off further and further from an error in the stream, and not at all after all is well', async () => {
    await watching('one');
    for (let i = 0; i < 3; i++) {
      const watch = server.watches[0]!;
      watch.fail({ code: 500 });
      await cluster.until(
        () => server.watches.length === 1 && server.watches[0] !== watch,
        () => 'it watches anew',
      );
    }
    expect(delays()).toEqual(['SERVER_ERROR 10', 'SERVER_ERROR 20', 'SERVER_ERROR 40']);
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    server.watches[0]!.fail({ code: 500 });
    await cluster.until(
      () => cluster.faults.length === 4,
      () => 'it fails once more',
    );
    expect(cluster.states.findLast(({ phase }) => phase === 'waiting')).toMatchObject({ delayMs: 10, failures: 1 });
  });

  it('comes back when the server says that it may', async () => {
    put('one');
    server.failNext('list', { code: 429, retryAfter: 7 });
    const waits: number[] = [];
    cluster.follow({}, { delay: async (ms) => void waits.push(ms) });
    await cluster.stored({ one: 1 });
    expect(cluster.faults).toEqual(['THROTTLED']);
    expect(waits[0]).toBe(7000);
  });

  it('takes the other group where the role allows that alone, and counts nothing twice', async () => {
    cluster.follow();
    await cluster.watching();
    put('one', { count: 2 });
    await cluster.stored({ one: 2 });
    server.denied.add('list events').add('watch events');
    server.watches[0]!.end();
    put('two');
    put('one', { count: 3 });
    await cluster.stored({ one: 3, two: 1 });
    await cluster.watching();
    expect(cluster.faults).toEqual(['FORBIDDEN']);
    expect(server.asked.at(-1)).toMatch(/events\.events\.k8s\.io|pods/);
    expect(cluster.lists).toBe(1);
    expect(await cluster.occurrences()).toBe(4);
  });

  it('says which right is missing', async () => {
    server.denied.add('list events').add('list events.events.k8s.io');
    cluster.follow();
    await cluster.until(
      () => cluster.faults.length >= 2,
      () => 'it is refused',
    );
    expect(cluster.states.find(({ phase }) => phase === 'waiting')).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('cannot list resource "events" in API group "" at the cluster scope') as string,
    });
    server.denied.clear();
    await cluster.watching();
  });

  it.each(['foreign', 'expired'] as const)('trusts no %s certificate, and goes on once it is a good one', async (kind) => {
    server.serveCertificate(kind);
    put('one');
    cluster.follow();
    await cluster.until(
      () => cluster.faults.includes('TLS'),
      () => `it refuses the certificate: ${JSON.stringify(cluster.state)}`,
    );
    expect(server.asked).toEqual([]);
    server.serveCertificate('good');
    await cluster.stored({ one: 1 });
  });

  it('begins anew when a position means nothing to the server', async () => {
    put('one');
    cluster.position = 'of-another-world';
    cluster.follow();
    await cluster.stored({ one: 1 });
    expect([cluster.expiries, cluster.faults]).toEqual([1, []]);
  });

  it('does not read everything again and again without a pause when every position expires at once', async () => {
    put('one');
    server.failNext('watch', { code: 410 }, 4);
    cluster.follow();
    await cluster.stored({ one: 1 });
    await cluster.until(
      () => cluster.states.filter(({ phase }) => phase === 'watching').length > 0,
      () => 'it watches',
    );
    expect(delays()).toEqual(['EXPIRED 20', 'EXPIRED 40', 'EXPIRED 80']);
  });

  it('begins with the shortest pause again after a list', async () => {
    put('one');
    server.failNext('list', 'reset', 3);
    server.failNext('watch', { code: 503 });
    cluster.follow();
    await cluster.watching();
    expect(delays()).toEqual(['NETWORK 10', 'NETWORK 20', 'NETWORK 40', 'SERVER_ERROR 10']);
  });
});

describe('a watch of a server that lost its state', () => {
  it.each([false, true])('reads everything anew instead of waiting for the past (refused by the server: %s)', async (refusesFuture) => {
    for (let i = 0; i < 20; i++) put(`old-${i}`);
    cluster.follow();
    await cluster.watching();
    server.refusesFuture = refusesFuture;
    await server.restart('lost');
    put('new');
    await cluster.stored({ ...Object.fromEntries(Array.from({ length: 20 }, (_unused, i) => [`old-${i}`, 1])), new: 1 });
    expect(cluster.expiries).toBe(1);
    await cluster.watching();
    expect(Number(cluster.position)).toBeLessThan(10);
  });
});

describe('a list', () => {
  it('stores its position with its last page and not before', async () => {
    for (let i = 0; i < 10; i++) put(`page-${i}`);
    cluster.follow({ pageSize: 3 });
    await cluster.watching();
    expect(cluster.batches.map(({ position }) => position)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      String(server.store.revision),
    ]);
  });
});

describe('a slow consumer', () => {
  it('has the server wait, reads no further than a batch ahead, and loses nothing', async () => {
    cluster.follow({ batchSize: 5 });
    await cluster.watching();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    cluster.beforeDelivery = () => gate;
    for (let i = 0; i < 300; i++) {
      const event = clusterEvent({ name: `slow-${i}`, pod: `slow-${i % 20}` }) as unknown as ApiObject;
      server.store.put('events', { ...event, metadata: { ...event.metadata, annotations: { bulk: 'x'.repeat(60_000) } } });
    }
    // 18 MB are more than all the buffers between the two can take.
    await cluster.until(
      () => server.watches[0]!.unsent > 1_000_000,
      () => 'the server cannot send any more',
    );
    expect(cluster.batches).toHaveLength(1);
    expect(cluster.position).toBe('1');
    release();
    await cluster.stored(Object.fromEntries(Array.from({ length: 20 }, (_unused, i) => [`slow-${i}`, 15])));
    const sizes = cluster.batches.map(({ events }) => events.filter(({ reporter }) => reporter !== 'casebook').length);
    expect(Math.max(...sizes)).toBe(5);
    expect(cluster.faults).toEqual([]);
    expect(await cluster.occurrences()).toBe(300);
  });

  it('loses nothing that was read and not yet durable when it is stopped', async () => {
    await watching('one');
    const { position } = cluster;
    let reached: () => void = () => undefined;
    const reads = new Promise<void>((resolve) => (reached = resolve));
    cluster.beforeDelivery = () => {
      reached();
      throw new Error('the database is on fire');
    };
    put('two');
    await reads;
    await expect(cluster.done).rejects.toThrow('the database is on fire');
    expect(cluster.position).toBe(position);
    cluster.beforeDelivery = () => undefined;
    cluster.follow();
    await cluster.stored({ one: 1, two: 1 });
  });
});

describe('positions', () => {
  it('move on by bookmarks, so that a quiet cluster does not expire', async () => {
    await watching('one');
    for (let i = 0; i < 5; i++) server.store.put('pods', { metadata: { name: `pod-${i}`, namespace: 'default' } });
    server.watches[0]!.bookmark();
    await cluster.until(
      () => cluster.position === String(server.store.revision),
      () => `the position moves: ${cluster.position}`,
    );
    await cluster.stop();
    await server.compact();
    put('two');
    cluster.follow();
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.faults).toEqual([]);
  });

  it('move on when an Event expires, which says nothing new', async () => {
    await watching('one');
    server.store.delete('events', 'default', 'one');
    await cluster.until(
      () => cluster.position === String(server.store.revision),
      () => `the position moves: ${cluster.position}`,
    );
    // A look at the objects themselves may have been delivered after it.
    const [batch, ...others] = cluster.batches.filter(({ deleted }) => deleted.length > 0);
    expect(batch!.deleted.map(({ object }) => object.name)).toEqual(['one']);
    expect([batch!.events, others]).toEqual([[], []]);
  });
});

describe('lines that are no events', () => {
  it('are told and leave no trace otherwise', async () => {
    await watching('one');
    const [watch] = server.watches;
    watch!.send('this is not JSON\n');
    watch!.send(`${JSON.stringify({ type: 'ADDED', object: { kind: 'Event', metadata: { name: 'x' }, involvedObject: 7 } })}\n`);
    watch!.send(`${'x'.repeat(9 * 1024 * 1024)}\n`);
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.batches.flatMap(({ rejected }) => rejected.map(({ reason }) => reason)).sort()).toEqual([
      'a line of 9437184 bytes is longer than 8388608',
      'involvedObject: 7 is not an object',
      'the line is not JSON',
    ]);
    expect(cluster.faults).toEqual([]);
  });
});

describe('credentials', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casebook-watch-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    [
      'an exec plug-in',
      async (token: string) => {
        const said = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
        await writeFile(join(folder, 'plugin'), `#!/bin/sh\necho '${JSON.stringify(said)}'\n`);
        await chmod(join(folder, 'plugin'), 0o700);
        return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: join(folder, 'plugin'), interactiveMode: 'Never' } };
      },
    ],
    [
      'a token file',
      async (token: string) => {
        await writeFile(join(folder, 'token'), token);
        return { authProvider: { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } } };
      },
    ],
  ])('of %s are asked for again when they are refused', async (_name, write) => {
    const user = await write(server.token);
    cluster = await FollowedCluster.register(intake, recogniser, () => server.kubeConfig(user));
    await watching('one');
    server.tokens = new Map([['the-next-one', 'casebook']]);
    await write('the-next-one');
    server.watches[0]!.end();
    put('two');
    await cluster.stored({ one: 1, two: 1 });
    expect(cluster.faults).toEqual(['UNAUTHORIZED']);
  });

  it('may be a client certificate', async () => {
    cluster = await FollowedCluster.register(intake, recogniser, () => server.kubeConfig(server.clientCertificate('casebook')));
    await watching('one');
    expect(cluster.faults).toEqual([]);
  });

  it('that cannot be made are told and asked for again', async () => {
    let good = false;
    cluster = await FollowedCluster.register(intake, recogniser, () =>
      good ? kubeConfigOf(server) : server.kubeConfig({ exec: { command: '/nowhere/plugin', apiVersion: 'v1' } }),
    );
    cluster.follow();
    await cluster.until(
      () => cluster.faults.includes('CREDENTIALS'),
      () => 'it fails',
    );
    expect(cluster.states.find(({ phase }) => phase === 'waiting')).toMatchObject({ message: expect.stringContaining('ENOENT') as string });
    good = true;
    await cluster.watching();
  });
});

describe('the end of objects', () => {
  it('is not looked for where the role does not allow it, and that is said', async () => {
    server.denied.add('get pods');
    await watching('one');
    await cluster.until(
      () => cluster.unfollowed.length > 0,
      () => 'it says so',
    );
    expect(cluster.unfollowed).toEqual([{ kind: 'Pod', reason: expect.stringContaining('cannot get resource "pods"') as string }]);
    expect((await cluster.incidents())[0]).toMatchObject({ status: 'open' });
    server.denied.clear();
    await cluster.until(
      async () => (await cluster.incidents())[0]!.resolvedBy === 'OBJECT_GONE',
      () => 'the Pod is found to be gone',
    );
    expect(cluster.unfollowed).toEqual([]);
  });

  it('is looked for in spite of objects of which only the kind is known', async () => {
    put('nameless', { pod: '' });
    put('one');
    cluster.follow();
    const ended = async () =>
      (await cluster.incidents()).filter(({ resolvedBy }) => resolvedBy === 'OBJECT_GONE').map(({ subject }) => subject);
    await cluster.until(
      async () => (await ended()).length > 0,
      () => 'the Pod is found to be gone',
    );
    expect(await ended()).toEqual(['Pod/default/one']);
    expect(await cluster.incidents()).toHaveLength(2);
    expect(cluster.unfollowed).toEqual([]);
  });

  it('is told once, and anew after the object came back', async () => {
    await putPod(server, 'web-0');
    await putEvent(server, { name: 'one', pod: 'web-0' });
    cluster.follow();
    await cluster.stored({ 'web-0': 1 });
    const gone = (): number => cluster.batches.flatMap(({ events }) => events).filter(({ object }) => object.deleted).length;
    server.store.delete('pods', 'default', 'web-0');
    await cluster.until(
      async () => (await cluster.incidents())[0]!.status === 'resolved',
      () => 'it ends',
    );
    await putPod(server, 'web-0');
    await putEvent(server, { name: 'two', pod: 'web-0', at: Date.now() + 1000 });
    await cluster.until(
      async () => (await cluster.incidents())[0]!.status === 'open',
      () => 'it opens again',
    );
    expect(gone()).toBe(1);
    server.store.delete('pods', 'default', 'web-0');
    await cluster.until(
      async () => (await cluster.incidents())[0]!.status === 'resolved',
      () => 'it ends again',
    );
    expect(gone()).toBe(2);
    expect((await cluster.incidents())[0]!.episodes).toHaveLength(2);
  });

  it('is not concluded from a server that has trouble', async () => {
    await putPod(server, 'web-0');
    await putEvent(server, { name: 'one', pod: 'web-0' });
    server.failNext('get', { code: 500 }, 2);
    server.failNext('get', { code: 404, reason: 'NotFound', message: 'the server could not find the requested resource' });
    cluster.follow();
    await cluster.stored({ 'web-0': 1 });
    const asked = (): number => server.asked.filter((request) => request === 'get pods').length;
    await cluster.until(
      () => asked() > 4,
      () => `it asks again: ${asked()}`,
    );
    expect((await cluster.incidents())[0]).toMatchObject({ status: 'open' });
  });
});

describe('everything at once', () => {
  it('loses nothing and counts nothing twice', async () => {
    const random = seededRandom(7);
    const counts: Record<string, number> = {};
    cluster.follow({ pageSize: 20, batchSize: 10, idleMs: 300 });
    const faults = [
      () => server.resetConnections(),
      () => server.watches[0]?.end(),
      () => server.watches[0]?.cutNextLine(),
      () => server.watches[0]?.fail({ code: 500 }),
      () => server.fallSilent(),
      () => server.failNext('watch', { code: 503 }),
      () => server.failNext('list', 'cut'),
      () => server.compact(),
      () => {
        server.tokens = new Map([[`token-${random.below(1e9)}`, 'casebook']]);
      },
      () => server.restart(),
      () => server.watches[0]?.bookmark(),
    ];
    for (let round = 0; round < 44; round++) {
      for (let i = 0; i < 5; i++) {
        const name = `chaos-${random.below(40)}`;
        counts[name] = (counts[name] ?? 0) + 1;
        put(name, { count: counts[name] });
      }
      await faults[round % faults.length]!();
      const seen = cluster.batches.length;
      await cluster.until(
        () => cluster.batches.length > seen,
        () => `it goes on: ${JSON.stringify(cluster.states.slice(-3))}`,
      );
    }
    await cluster.stored(counts);
    expect(await cluster.occurrences()).toBe(220);
    await cluster.stop();
    await cluster.until(
      () => server.openConnections === 0,
      () => 'all sockets are closed',
    );
  });
});

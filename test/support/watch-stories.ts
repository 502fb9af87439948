import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { deletePod, putEvent, putPod } from './api-server-under-test.js';
import type { ApiServerUnderTest } from './api-server-under-test.js';
import { FollowedCluster, kubeConfigOf } from './followed-cluster.js';
import { bundledRecogniser } from './story.js';
import { TestIntake } from './stream.js';
import { createTestDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

/** What is told of watching any API server, fake or real. Each story uses Pods and Events of its own, named after it. */
export function tellWatchStories(start: () => Promise<ApiServerUnderTest>): void {
  let server: ApiServerUnderTest;
  let database: TestDatabase;
  let intake: TestIntake;
  let recogniser: Recogniser;
  let followed: FollowedCluster | undefined;

  beforeAll(async () => {
    [server, database, recogniser] = await Promise.all([start(), createTestDatabase(), bundledRecogniser()]);
    intake = new TestIntake(database.url);
  });
  afterEach(async () => {
    await followed?.stop();
    followed = undefined;
    await server.call('DELETE', '/api/v1/namespaces/default/events');
  });
  afterAll(async () => {
    await server?.stop();
    await intake?.close();
    await database?.drop();
  });

  async function begin(): Promise<FollowedCluster> {
    followed = await FollowedCluster.register(intake, recogniser, () => kubeConfigOf(server));
    return followed;
  }

  it('reads what is there, then what happens, and what grows', async () => {
    await putEvent(server, { name: 'a-old', pod: 'pod-old', count: 3 });
    const cluster = await begin();
    cluster.follow();
    await cluster.stored({ 'pod-old': 3 });
    await cluster.watching();
    await putEvent(server, { name: 'a-new', pod: 'pod-new' });
    await putEvent(server, { name: 'a-new', pod: 'pod-new', count: 2 });
    await cluster.stored({ 'pod-old': 3, 'pod-new': 2 });
    expect(await cluster.occurrences()).toBe(5);
    expect(cluster.faults).toEqual([]);
  });

  it('goes on from the stored position after it was stopped, without another list', async () => {
    await putEvent(server, { name: 'b-one', pod: 'pod-one' });
    const cluster = await begin();
    cluster.follow();
    await cluster.stored({ 'pod-one': 1 });
    await cluster.watching();
    await cluster.stop();
    await putEvent(server, { name: 'b-two', pod: 'pod-two' });
    cluster.follow();
    await cluster.stored({ 'pod-one': 1, 'pod-two': 1 });
    expect(cluster.lists).toBe(1);
    // Nothing was read a second time; that no such Pods exist is noticed too, in events of our own.
    const read = cluster.batches.flatMap(({ events }) => events).filter(({ reporter }) => reporter !== 'casebook');
    expect(read.map(({ object }) => object.name)).toEqual(['pod-one', 'pod-two']);
  });

  it('reads everything anew when its position is forgotten (410), and counts nothing twice', async () => {
    await putEvent(server, { name: 'c-one', pod: 'pod-one', count: 4 });
    const cluster = await begin();
    cluster.follow();
    await cluster.stored({ 'pod-one': 4 });
    await cluster.watching();
    await cluster.stop();
    await putEvent(server, { name: 'c-one', pod: 'pod-one', count: 6 });
    await putEvent(server, { name: 'c-two', pod: 'pod-two' });
    await server.compact();
    await putEvent(server, { name: 'c-three', pod: 'pod-three' });
    cluster.follow();
    await cluster.stored({ 'pod-one': 6, 'pod-two': 1, 'pod-three': 1 });
    await cluster.watching();
    expect([cluster.lists, cluster.expiries, cluster.faults]).toEqual([2, 1, []]);
    expect(await cluster.occurrences()).toBe(8);
  });

  it('survives a restart of the server', async () => {
    const cluster = await begin();
    cluster.follow();
    await cluster.watching();
    await putEvent(server, { name: 'd-one', pod: 'pod-one' });
    await cluster.stored({ 'pod-one': 1 });
    await server.restart();
    await putEvent(server, { name: 'd-two', pod: 'pod-two' });
    await cluster.stored({ 'pod-one': 1, 'pod-two': 1 });
    expect(cluster.lists).toBe(1);
    expect(await cluster.occurrences()).toBe(2);
  });

  it('reads a list of many pages', async () => {
    const names = Array.from({ length: 45 }, (_unused, i) => `pod-${i}`);
    for (const name of names) await putEvent(server, { name: `e-${name}`, pod: name });
    const cluster = await begin();
    cluster.follow({ pageSize: 10, batchSize: 7 });
    await cluster.stored(Object.fromEntries(names.map((name) => [name, 1])));
    await cluster.watching();
    expect(Math.max(...cluster.batches.map(({ events }) => events.length))).toBeLessThanOrEqual(7);
  });

  it('goes on when the pages of a list expire, loses nothing and counts nothing twice', async () => {
    const names = Array.from({ length: 20 }, (_unused, i) => `page-${i + 10}`);
    for (const name of names) await putEvent(server, { name, pod: name });
    const cluster = await begin();
    let pages = 0;
    cluster.beforeDelivery = async ({ events }) => {
      if (events.length === 0 || ++pages !== 2) return;
      // Before what has been read, of it, and behind it.
      await putEvent(server, { name: 'page-00', pod: 'page-00' });
      await putEvent(server, { name: 'page-10', pod: 'page-10', count: 5 });
      await putEvent(server, { name: 'page-99', pod: 'page-99' });
      await server.compact();
    };
    cluster.follow({ pageSize: 5 });
    await cluster.stored({ ...Object.fromEntries(names.map((name) => [name, 1])), 'page-00': 1, 'page-10': 5, 'page-99': 1 });
    await cluster.watching();
    expect([cluster.lists, cluster.faults]).toEqual([1, []]);
    expect(await cluster.occurrences()).toBe(26);
  });

  it('ends what was open about an object that went while nobody was watching', async () => {
    await putPod(server, 'pod-here');
    await putPod(server, 'pod-gone');
    await putEvent(server, { name: 'f-here', pod: 'pod-here' });
    await putEvent(server, { name: 'f-gone', pod: 'pod-gone' });
    const cluster = await begin();
    cluster.follow();
    await cluster.stored({ 'pod-here': 1, 'pod-gone': 1 });
    await cluster.stop();
    await deletePod(server, 'pod-gone');
    cluster.follow();
    const statuses = async (): Promise<string[]> =>
      (await cluster.incidents()).map(({ subject, status, resolvedBy }) => `${subject.split('/').at(-1)} ${status} ${resolvedBy}`).sort();
    await cluster.until(
      async () => (await statuses()).includes('pod-gone resolved OBJECT_GONE'),
      () => `pod-gone has ended: ${JSON.stringify(cluster.state)}`,
    );
    // The other one was looked at too and is still there.
    expect(await statuses()).toEqual(['pod-gone resolved OBJECT_GONE', 'pod-here open null']);
    await deletePod(server, 'pod-here');
    await cluster.until(
      async () => (await statuses()).includes('pod-here resolved OBJECT_GONE'),
      () => 'pod-here has ended too',
    );
    expect(cluster.unfollowed).toEqual([]);
  });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { IntakeService } from '../../src/pipeline/intake.service.js';
import type { IntakeLimits } from '../../src/pipeline/intake.service.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import type { RecogniserService } from '../../src/pipeline/recogniser.service.js';
import { DatabaseUnavailableError } from '../../src/store/database.service.js';
import { ClusterGoneError, IntakeRepository } from '../../src/store/intake.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';

let database: TestDatabase;
let intake: TestIntake;
let recogniser: Recogniser;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  recogniser = await bundledRecogniser();
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

function serviceOf(limits: Partial<IntakeLimits> = {}): IntakeService {
  const recognisers = { current: () => recogniser } as RecogniserService;
  return new IntakeService(intake.repository, recognisers, { batch: 1000, high: 10_000, writers: 2, ...limits });
}

async function clusterOf(name: string): Promise<{ id: number; name: string; provider: 'kubernetes' }> {
  return { id: await intake.cluster(name), name, provider: 'kubernetes' };
}

const events = (count: number): ClusterEvent[] => sampleDeliveries(count).map(({ event }) => event);
const commits = async (): Promise<number> =>
  (await intake.database.rows<{ n: number }>('SELECT count(DISTINCT xmin::text)::int AS n FROM event'))[0]!.n;

describe('IntakeService', () => {
  it('tells each sender what became of its own events', async () => {
    const service = serviceOf();
    const cluster = await clusterOf('own');
    const [one, two] = [events(10).slice(0, 1), events(10).filter((event, i, all) => all.findIndex(({ uid }) => uid === event.uid) === i)];
    expect(await service.submit(cluster, one)).toEqual({ accepted: 1, merged: 0 });
    expect(await service.submit(cluster, two)).toEqual({ accepted: two.length - 1, merged: 1 });
  });

  it('puts what arrives during a commit into one transaction', async () => {
    const service = serviceOf();
    const cluster = await clusterOf('shared');
    const before = await commits();
    const unique = [...new Map(events(100).map((event) => [event.uid, event])).values()];
    await Promise.all(unique.map((event) => service.submit(cluster, [event])));
    expect((await commits()) - before).toBeLessThanOrEqual(2);
  });

  it('cuts a body larger than a batch and stores all of it', async () => {
    const service = serviceOf({ batch: 30 });
    const cluster = await clusterOf('cut');
    const all = events(200);
    const { accepted, merged } = await service.submit(cluster, all);
    expect(accepted + merged).toBe(200);
    const [row] = await intake.database.rows<{ n: number }>('SELECT count(*)::int AS n FROM event WHERE cluster_id = $1', cluster.id);
    expect(row!.n).toBe(new Set(all.map(({ uid }) => uid)).size);
  });

  it('asks senders to come back when too much is in hand, and takes them again afterwards', async () => {
    const service = serviceOf({ high: 50 });
    const cluster = await clusterOf('busy');
    const first = service.submit(cluster, events(40));
    await expect(service.submit(cluster, events(20))).rejects.toMatchObject({ code: 'BUSY', retryAfterSeconds: 1 });
    await first;
    expect(service.inHand).toBe(0);
    expect(await service.submit(cluster, events(20))).toEqual({ accepted: 0, merged: 20 });
  });

  it('counts long texts by their length', async () => {
    const service = serviceOf({ high: 50 });
    const cluster = await clusterOf('long');
    const long = events(4).map((event) => ({ ...event, message: 'x'.repeat(65_536) }));
    const first = service.submit(cluster, events(1));
    await expect(service.submit(cluster, long)).rejects.toMatchObject({ code: 'BUSY' });
    await first;
    expect(await service.submit(cluster, long)).toMatchObject({ accepted: 3 });
    expect(service.inHand).toBe(0);
  });

  it('tells all at once when the database does not answer, instead of asking it for each', async () => {
    let asked = 0;
    const silent = Object.assign(Object.create(IntakeRepository.prototype) as IntakeRepository, {
      transaction: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        asked++;
        throw new DatabaseUnavailableError('gone');
      },
    });
    const service = new IntakeService(silent, { current: () => recogniser } as RecogniserService, {
      batch: 1000,
      high: 10_000,
      writers: 1,
    });
    const cluster = { id: 1, name: 'silent', provider: 'kubernetes' as const };
    const results = await Promise.allSettled(events(20).map((event) => service.submit(cluster, [event])));
    expect(results.every((result) => result.status === 'rejected' && result.reason instanceof DatabaseUnavailableError)).toBe(true);
    expect(asked).toBe(2);
  });

  it("keeps one sender's trouble from another that shares its batch", async () => {
    const service = serviceOf({ writers: 1 });
    const good = await clusterOf('good');
    const gone = { id: -1, name: 'gone', provider: 'kubernetes' as const };
    const results = await Promise.allSettled([
      service.submit(good, events(5)),
      service.submit(gone, events(5)),
      service.submit(good, events(6)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(ClusterGoneError);
  });

  it('writes clusters in turns, a batch each, however much one of them has waiting', async () => {
    const order: number[] = [];
    const recording = Object.assign(Object.create(IntakeRepository.prototype) as IntakeRepository, {
      transaction: async (id: number, work: (transaction: unknown) => Promise<unknown>) => {
        order.push(id);
        await new Promise((resolve) => setImmediate(resolve));
        return intake.repository.transaction(id, work as never);
      },
    });
    const service = new IntakeService(recording, { current: () => recogniser } as RecogniserService, {
      batch: 20,
      high: 10_000,
      writers: 1,
    });
    const [flood, other] = [await clusterOf('flood'), await clusterOf('other')];
    const taken = [service.submit(flood, events(200)), service.submit(flood, events(20)), service.submit(other, events(30))];
    expect((await Promise.all(taken)).map(({ accepted, merged }) => accepted + merged)).toEqual([200, 20, 30]);
    expect(order.slice(0, 5)).toEqual([flood.id, other.id, flood.id, other.id, flood.id]);
    expect(order.filter((id) => id === flood.id)).toHaveLength(11);
  });

  it('leaves room to others whoever fills it, and says when to come back', async () => {
    const stuck: (() => void)[] = [];
    const holding = Object.assign(Object.create(IntakeRepository.prototype) as IntakeRepository, {
      transaction: () => new Promise((_, reject) => stuck.push(() => reject(new DatabaseUnavailableError('gone')))),
    });
    const service = new IntakeService(holding, { current: () => recogniser } as RecogniserService, { batch: 100, high: 1000, writers: 1 });
    const cluster = (id: number): { id: number; name: string; provider: 'kubernetes' } => ({ id, name: `c${id}`, provider: 'kubernetes' });
    const taken: Promise<unknown>[] = [];
    const flood = async (id: number): Promise<number> => {
      for (let count = 0; ; count++) {
        const submitted = service.submit(cluster(id), events(50));
        const refused = await Promise.race([
          submitted.then(undefined, (error: unknown) => error),
          new Promise((resolve) => setImmediate(resolve)),
        ]);
        if (refused) {
          expect(refused).toMatchObject({ code: 'BUSY', message: expect.stringContaining(`of cluster "c${id}"`) });
          expect((refused as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(0);
          return count * 50;
        }
        taken.push(submitted.catch(() => undefined));
      }
    };
    expect([await flood(1), await flood(2), await flood(3)]).toEqual([500, 250, 150]);
    expect(() => service.checkRoom(cluster(1))).toThrow(expect.objectContaining({ code: 'BUSY' }));
    expect(() => service.checkRoom(cluster(4))).not.toThrow();
    let done = false;
    void Promise.all(taken).then(() => (done = true));
    while (!done) {
      for (const fail of stuck.splice(0)) fail();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(service.inHand).toBe(0);
  });

  it('finishes what it has taken before it stops, and takes no more', async () => {
    const service = serviceOf();
    const cluster = await clusterOf('stopping');
    const taken = [service.submit(cluster, events(50)), service.submit(cluster, events(60))];
    const stopped = service.onApplicationShutdown();
    await expect(service.submit(cluster, events(1))).rejects.toMatchObject({ code: 'BUSY' });
    await stopped;
    expect(await Promise.all(taken)).toHaveLength(2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../src/incidents/delivery.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { sampleDeliveries } from '../support/sample-deliveries.js';
import { TestIntake } from '../support/stream.js';

const NOW = Date.parse('2026-03-05T00:00:00Z');

let database: TestDatabase;
let writers: TestIntake[];

beforeAll(async () => {
  database = await createTestDatabase();
  // Each has a pool of its own, as separate processes would.
  writers = [1, 2, 3, 4].map(() => new TestIntake(database.url));
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.close()));
  await database.drop();
});

function portions(deliveries: readonly Delivery[], size: number): Delivery[][] {
  return Array.from({ length: Math.ceil(deliveries.length / size) }, (_, i) => deliveries.slice(i * size, (i + 1) * size));
}

async function outcome(cluster: number): Promise<unknown> {
  await writers[0]!.settle(cluster, NOW);
  return { incidents: await writers[0]!.state(cluster), rollups: await writers[0]!.rollups(cluster) };
}

describe('several writers at once', () => {
  it('write the same and different clusters without deadlock and end where one writer ends', async () => {
    const deliveries = sampleDeliveries(600);
    const alone = await writers[0]!.cluster('alone');
    await writers[0]!.push(alone, deliveries, NOW);
    const expected = await outcome(alone);

    const shared = await Promise.all(['shared-a', 'shared-b'].map((name) => writers[0]!.cluster(name)));
    const jobs = writers.flatMap((writer, w) =>
      // Every writer brings everything to both clusters, in its own order and its own portions.
      [...shared, ...[...shared].reverse()].flatMap((cluster, c) => {
        const own = (w + c) % 2 === 0 ? deliveries : [...deliveries].reverse();
        return portions(own, 37 + 20 * w).map((portion) => () => writer.push(cluster, portion, NOW));
      }),
    );
    const queue = jobs.values();
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for (const job of queue) await job();
      }),
    );
    for (const cluster of shared) expect(await outcome(cluster)).toEqual(expected);
  });

  it('hands each Event to exactly one of them as new', async () => {
    const cluster = await writers[0]!.cluster('once');
    const deliveries = sampleDeliveries(200).filter(
      (delivery, i, all) => all.findIndex(({ event }) => event.uid === delivery.event.uid) === i,
    );
    const told = await Promise.all(writers.map((writer) => writer.push(cluster, deliveries, NOW)));
    const accepted = deliveries.map((_, i) => told.filter((verdicts) => verdicts[i]).length);
    expect(new Set(accepted)).toEqual(new Set([1]));
  });
});

describe('a batch', () => {
  it('costs the same number of statements for ten events and for a thousand', async () => {
    const cluster = await writers[0]!.cluster('statements');
    const statements = async (deliveries: Delivery[]): Promise<number> => {
      let count = 0;
      await writers[0]!.repository.transaction(cluster, async (transaction) => {
        const counting = new Proxy(transaction, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name);
            if (typeof value === 'function') count++;
            return value;
          },
        });
        const { applyBatch } = await import('../../src/pipeline/apply-batch.js');
        await applyBatch(counting, deliveries, NOW);
      });
      return count;
    };
    const all = sampleDeliveries(1010);
    expect(await statements(all.slice(10))).toBe(await statements(all.slice(0, 10)));
  });

  it('leaves nothing behind when it fails half-way', async () => {
    const cluster = await writers[0]!.cluster('half');
    const broken = writers[0]!.repository.transaction(cluster, async (transaction) => {
      await transaction.insertSignals([{ objectKey: 'Pod/a/b', container: '', token: 'done', at: NOW }]);
      throw new Error('power cut');
    });
    await expect(broken).rejects.toThrow('power cut');
    expect(await writers[0]!.database.rows('SELECT 1 FROM signal WHERE cluster_id = $1', cluster)).toEqual([]);
    expect(await writers[0]!.push(cluster, sampleDeliveries(1), NOW)).toEqual([true]);
  });
});

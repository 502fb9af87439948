import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiServerUnderTest } from '../support/api-server-under-test.js';
import { putEvent } from '../support/api-server-under-test.js';
import { FollowedCluster, kubeConfigOf } from '../support/followed-cluster.js';
import { startRealApiServer } from '../support/real-api-server.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { programsOfEnvironment } from './programs.js';

const PODS = 40;
const EVENTS = 3000;
const ROUNDS = 3;

describe('thousands of events of a real kube-apiserver', () => {
  let server: ApiServerUnderTest;
  let database: TestDatabase;
  let intake: TestIntake;

  beforeAll(async () => {
    [server, database] = await Promise.all([startRealApiServer(programsOfEnvironment()), createTestDatabase()]);
    intake = new TestIntake(database.url);
  });
  afterAll(async () => {
    await intake?.close();
    await database?.drop();
    await server?.stop();
  });

  it(
    `loses none of ${EVENTS} and counts none twice while the server is killed and its history compacted`,
    { timeout: 300_000 },
    async () => {
      const cluster = await FollowedCluster.register(intake, await bundledRecogniser(), () => kubeConfigOf(server));
      cluster.follow({ longestDelayMs: 2000 });
      const began = Date.now();
      let written = 0;
      for (let round = 0; round < ROUNDS; round++) {
        for (const end = ((round + 1) * EVENTS) / ROUNDS; written < end;) {
          const some = Array.from({ length: Math.min(20, end - written) }, () => written++);
          await Promise.all(some.map((i) => putEvent(server, { name: `load-${i}`, pod: `load-${i % PODS}` })));
        }
        if (round === 0) {
          await server.restart();
        } else if (round === 1) {
          // What happens while nobody watches, and is forgotten before anybody does again.
          await cluster.stop();
          for (let i = 0; i < 100; i++) await putEvent(server, { name: `load-${i}`, pod: `load-${i % PODS}`, count: 2 });
          await server.compact();
          cluster.follow({ longestDelayMs: 2000 });
        }
      }
      const total = async (): Promise<number> => Object.values(await cluster.counts()).reduce((sum, count) => sum + count, 0);
      for (const end = Date.now() + 120_000; (await total()) < EVENTS + 100 && Date.now() < end;) await pause(200);
      process.stdout.write(
        `${EVENTS} events and 100 updates in ${Date.now() - began} ms; lists ${cluster.lists}, expiries ${cluster.expiries}, ` +
          `faults ${cluster.faults.join(', ') || 'none'}; read ${cluster.batches.reduce((sum, { events }) => sum + events.length, 0)} events`,
      );
      await cluster.stop();
      expect(await total()).toBe(EVENTS + 100);
      expect(await cluster.occurrences()).toBe(EVENTS + 100);
      expect(Object.keys(await cluster.counts())).toHaveLength(PODS);
      expect(cluster.expiries).toBe(1);
    },
  );
});

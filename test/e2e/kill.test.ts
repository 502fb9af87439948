import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const PODS = 40;
const POSTS = 400;
const KILLS = 2;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** One post: a growing BackOff of some Pod, and a new Event of another. */
function bodyOf(i: number): unknown {
  const at = (seconds: number): string => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString();
  const event = (uid: string, pod: number, count: number): unknown => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { uid, name: uid, namespace: 'shop' },
    involvedObject: {
      kind: 'Pod',
      namespace: 'shop',
      name: `web-6f9c7d8b5-${'bcdfghjklm'[pod % 10]}${'bcdf'[Math.floor(pod / 10)]}xxz`,
      fieldPath: 'spec.containers{app}',
    },
    reason: 'BackOff',
    message: 'Back-off restarting failed container app in pod web',
    type: 'Warning',
    source: { component: 'kubelet' },
    count,
    firstTimestamp: at(0),
    lastTimestamp: at(i),
  });
  return {
    kind: 'List',
    apiVersion: 'v1',
    items: [event(`growing-${i % PODS}`, i % PODS, 1 + Math.floor(i / PODS)), event(`new-${i}`, (i * 7) % PODS, 1)],
  };
}

describe('kill -9 during a stream of posts', () => {
  it('loses nothing that was answered 200 and counts nothing twice; Ctrl-C, which npm passes on once more, then stops in order', async () => {
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'error' };
    let service = await ServiceProcess.start(env);
    await fetch(`${service.url}/v1/clusters`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'prod', provider: 'KUBERNETES' }),
    }).then((response) => expect(response.ok).toBe(true));

    let answered = 0;
    let killed = 0;
    const restart = async (): Promise<void> => {
      await service.kill();
      killed++;
      service = await ServiceProcess.start(env);
    };
    let restarting: Promise<void> | undefined;
    const queue = Array.from({ length: POSTS }, (_, i) => i).values();
    const sender = async (): Promise<void> => {
      for (const i of queue) {
        // A sender repeats what was not answered, like any that can.
        for (let done = false; !done;) {
          await restarting;
          done = await fetch(`${service.url}/v1/clusters/prod/events`, { method: 'POST', body: JSON.stringify(bodyOf(i)) }).then(
            (response) => response.status === 200,
            () => false,
          );
        }
        answered++;
        if (killed < KILLS && answered >= ((killed + 1) * POSTS) / (KILLS + 1) && !restarting) {
          restarting = restart().finally(() => (restarting = undefined));
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    await restarting;
    expect({ answered, killed }).toEqual({ answered: POSTS, killed: KILLS });

    const { rows } = await database.pool.query<{
      events: number;
      occurrences: number;
      rolled: number;
      sightings: number;
      affected: number;
    }>(
      `SELECT (SELECT count(*)::int FROM event) AS events, (SELECT sum(occurrences)::int FROM incident) AS occurrences,
         (SELECT sum(occurrences)::int FROM rollup_cluster WHERE minutes = 1440) AS rolled, (SELECT sum(growth)::int FROM sighting) AS sightings,
         (SELECT sum(affected_count)::int FROM incident) AS affected`,
    );
    const occurrences = POSTS + PODS * (POSTS / PODS);
    expect(rows[0]).toEqual({ events: POSTS + PODS, occurrences, rolled: occurrences, sightings: occurrences, affected: PODS });
    // The terminal has sent the signal to the service as well.
    expect(await service.interruptTwice()).toBe(0);
  }, 60_000);
});

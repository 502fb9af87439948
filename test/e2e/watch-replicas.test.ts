import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterEvent } from '../support/api-server-under-test.js';
import type { ApiObject } from '../support/fake-api-store.js';
import { FakeApiServer } from '../support/fake-api-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const CLUSTERS = ['one', 'two', 'three'];
const PODS = 12;
/** A lease lives for 8 seconds, a round comes every 2; the rest is for the machine. */
const TAKEN_OVER_WITHIN = 15_000;

let database: TestDatabase;
let servers: FakeApiServer[];
let env: Record<string, string>;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = await Promise.all(CLUSTERS.map(() => FakeApiServer.start()));
  env = { DATABASE_URL: database.url, LOG_LEVEL: 'info', CASEBOOK_SECRET_KEY: randomBytes(32).toString('base64') };
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

async function start(): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(env);
  services.push(service);
  return service;
}

async function graphql(service: ServiceProcess, query: string, variables: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors?: unknown[] };
  expect(errors).toBeUndefined();
  return data;
}

/** Who watches which cluster, by the process id of the service. */
async function holders(): Promise<Record<string, number | null>> {
  const { rows } = await database.pool.query<{ name: string; pid: number | null }>(
    `SELECT c.name, CASE WHEN l.expires_at > now() AND l.state = 'watching' THEN split_part(l.holder_name, ':', 2)::int END AS pid
     FROM cluster c JOIN watch_lease l ON l.cluster_id = c.id ORDER BY c.id`,
  );
  return Object.fromEntries(rows.map(({ name, pid }) => [name, pid]));
}

const holdings = async (): Promise<number[]> => {
  const all = Object.values(await holders());
  return [...new Set(all)].filter((pid) => pid !== null).map((pid) => all.filter((each) => each === pid).length);
};

const countOfEvents = async (): Promise<number> =>
  (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event')).rows[0]!.n;

describe('two replicas that watch three clusters', () => {
  it('share them, and lose and double nothing when one is killed in the middle', { timeout: 120_000 }, async () => {
    const a = await start();
    for (const [i, cluster] of CLUSTERS.entries()) {
      await graphql(a, 'mutation ($name: String!) { registerCluster(input: { name: $name }) { token } }', { name: cluster });
      const { url: server, ca: certificateAuthority, token } = servers[i]!;
      const input = { cluster, server, certificateAuthority, token };
      await graphql(a, 'mutation ($input: WatchClusterInput!) { watchCluster(input: $input) { name } }', { input });
    }
    await waitUntil(holdings, (held) => held[0] === 3);

    const podOf = (i: number): string => `web-6d4cf56db6-x2x${'bcdfghjklmnp'[i % PODS]}p`;
    // What does not exist would be noticed as gone.
    for (const { store } of servers)
      for (let i = 0; i < PODS; i++) store.put('pods', { metadata: { name: podOf(i), namespace: 'default' } });
    let sent = 0;
    /** Has every cluster write more rounds of Events: one that grows for each Pod in turn, and one that comes once. */
    const write = (rounds: number): void => {
      for (const last = sent + rounds; sent < last; sent++) {
        const said = { pod: podOf(sent) };
        const growing = clusterEvent({ ...said, name: `growing-${sent % PODS}`, count: 1 + Math.floor(sent / PODS) });
        for (const { store } of servers) {
          store.put('events', growing as unknown as ApiObject);
          store.put('events', clusterEvent({ ...said, name: `once-${sent}` }) as unknown as ApiObject);
        }
      }
    };
    write(50);
    const b = await start();
    await waitUntil(
      () => {
        write(1);
        return holdings();
      },
      (held) => held.toSorted().join() === '1,2',
    );

    const stored = await countOfEvents();
    write(400);
    await waitUntil(countOfEvents, (events) => events > stored + 100);
    await a.kill();
    const killed = performance.now();
    expect(await countOfEvents()).toBeLessThan(3 * sent);
    await waitUntil(
      () => {
        write(1);
        return holdings();
      },
      (held) => held[0] === 3,
      TAKEN_OVER_WITHIN,
    );
    expect(performance.now() - killed).toBeLessThan(TAKEN_OVER_WITHIN);
    write(20);

    const expected = CLUSTERS.map((name) => ({
      name,
      events: sent + PODS,
      // Each round is one more occurrence of a growing Event, and one of its own.
      occurrences: 2 * sent,
      sightings: 2 * sent,
      affected: PODS,
    }));
    const counts = async (): Promise<unknown[]> => {
      const { rows } = await database.pool.query(
        `SELECT c.name, (SELECT count(*)::int FROM event e WHERE e.cluster_id = c.id) AS events,
           (SELECT sum(i.occurrences)::int FROM incident i WHERE i.cluster_id = c.id) AS occurrences,
           (SELECT sum(s.growth)::int FROM sighting s WHERE s.cluster_id = c.id) AS sightings,
           (SELECT sum(i.affected_count)::int FROM incident i WHERE i.cluster_id = c.id) AS affected
         FROM cluster c ORDER BY c.id`,
      );
      return rows;
    };
    await waitUntil(counts, (rows) => JSON.stringify(rows) === JSON.stringify(expected), 15_000);
    expect(b.printed).not.toContain(servers[0]!.token);

    expect(await b.stop()).toBe(0);
    const { rows } = await database.pool.query(
      'SELECT holder FROM watch_lease UNION ALL SELECT id FROM watch_replica WHERE expires_at > now()',
    );
    // What the killed one left is gone by its own; the other has given everything back.
    expect(rows).toEqual([{ holder: null }, { holder: null }, { holder: null }]);
    expect(servers.map(({ openConnections }) => openConnections)).toEqual([0, 0, 0]);
  });
});

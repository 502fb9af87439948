import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RefusedInput } from '../../src/ingest/refused-input.service.js';
import type { WatchSources } from '../../src/ingest/watch/watch-sources.service.js';
import { WatchStates } from '../../src/ingest/watch/watch-states.service.js';
import { WatchSupervisor } from '../../src/ingest/watch/watch-supervisor.service.js';
import type { IntakeService } from '../../src/pipeline/intake.service.js';
import { SystemClock } from '../../src/platform/clock.service.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { Metrics } from '../../src/platform/metrics.service.js';
import { Database, DatabaseUnavailableError } from '../../src/store/database.service.js';
import { Sealer } from '../../src/store/seal.service.js';
import { WatchRepository } from '../../src/store/watch.repository.js';
import { FakeApiServer } from '../support/fake-api-server.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const CLUSTERS = ['one', 'two', 'three'];
const TIMES = { leaseTtl: 3_000, renewEvery: 250 };

let test: TestDatabase;
let database: Database;
let server: FakeApiServer;
const replicas: Replica[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  database = new Database({ url: test.url, pool: 5 });
  server = await FakeApiServer.start();
});
afterAll(async () => {
  await server.stop();
  await database.onApplicationShutdown();
  await test.drop();
});
beforeEach(async () => {
  await test.pool.query('DELETE FROM cluster');
  await test.pool.query(`INSERT INTO cluster (name, provider) SELECT name, 'kubernetes' FROM unnest($1::text[]) AS name`, [CLUSTERS]);
  await test.pool.query(`INSERT INTO watch_lease (cluster_id, mode) SELECT id, 'kubeconfig' FROM cluster`);
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map(({ supervisor }) => supervisor.beforeApplicationShutdown()));
});

interface Replica {
  supervisor: WatchSupervisor;
  /** Clusters that it watches now. */
  watched: () => string[];
  /** Takes the database away from it, or gives it back. */
  cut: (away: boolean) => void;
  logged: string[];
}

/** A replica whose environment names all clusters. */
function start(): Replica {
  let away = false;
  const logged: string[] = [];
  const logger = createLogger('info', { write: (line) => void logged.push(line) });
  const cuttable = {
    rows: (...args: Parameters<Database['rows']>) => (away ? Promise.reject(new DatabaseUnavailableError('cut')) : database.rows(...args)),
  } as Database;
  const repository = new WatchRepository(cuttable, new Sealer({}));
  const sources = {
    unregistered: [],
    configured: async () => new Map([...(await repository.registered(CLUSTERS)).values()].map((id) => [id, 'kubeconfig'] as const)),
    modeOf: () => 'kubeconfig',
    connect: () => Promise.resolve(server.kubeConfig()),
  } as unknown as WatchSources;
  const states = new WatchStates(new Metrics(), sources, logger);
  const intake = { submit: (_cluster: unknown, events: readonly unknown[]) => Promise.resolve({ accepted: events.length, merged: 0 }) };
  const options = { ...TIMES, kubeconfigs: [], contexts: [] };
  const supervisor = new WatchSupervisor(
    repository,
    sources,
    states,
    intake as unknown as IntakeService,
    { watched: () => undefined } as unknown as RefusedInput,
    new SystemClock(),
    options,
    logger,
  );
  supervisor.onApplicationBootstrap();
  const watched = (): string[] =>
    states
      .list()
      .filter(({ report }) => report.phase === 'watching')
      .map(({ cluster }) => cluster);
  const replica = { supervisor, watched, cut: (now: boolean) => void (away = now), logged };
  replicas.push(replica);
  return replica;
}

describe('WatchSupervisor', () => {
  it('shares the clusters, and gives all to the other when it stops', async () => {
    const a = start();
    await waitUntil(a.watched, (watched) => watched.length === 3);
    const b = start();
    await waitUntil(
      () => [a.watched().length, b.watched().length],
      ([mine, others]) => mine === 2 && others === 1,
    );
    expect([...a.watched(), ...b.watched()].toSorted()).toEqual(CLUSTERS.toSorted());
    await a.supervisor.beforeApplicationShutdown();
    expect(a.watched()).toEqual([]);
    await waitUntil(b.watched, (watched) => watched.length === 3);
    // Nothing lapsed, so nothing was taken over.
    expect(b.logged.filter((line) => line.includes('"from"'))).toEqual([]);
  });

  it('ends its watches when the database is away for longer than a lease, and leaves them to another', async () => {
    const a = start();
    await waitUntil(a.watched, (watched) => watched.length === 3);
    const b = start();
    await waitUntil(
      () => [a.watched().length, b.watched().length],
      ([mine, others]) => mine === 2 && others === 1,
    );
    a.cut(true);
    await waitUntil(b.watched, (watched) => watched.length === 3);
    await waitUntil(a.watched, (watched) => watched.length === 0);
    await waitUntil(
      () => server.watches.length,
      (open) => open === 3,
    );
    expect(a.logged.filter((line) => line.includes('watch leases could not be renewed'))).toHaveLength(1);
    expect(b.logged.filter((line) => line.includes('"from"'))).toHaveLength(2);
    a.cut(false);
    await waitUntil(
      () => [a.watched().length, b.watched().length],
      ([mine, others]) => mine === 1 && others === 2,
    );
  });

  it('stops a watch at once that somebody else has taken, and one that nobody wants any more', async () => {
    const a = start();
    await waitUntil(a.watched, (watched) => watched.length === 3);
    await test.pool.query(
      `UPDATE watch_lease SET holder = gen_random_uuid(), epoch = nextval('watch_epoch'), expires_at = now() + interval '1 hour'
       WHERE cluster_id = (SELECT id FROM cluster WHERE name = 'one')`,
    );
    await test.pool.query(`UPDATE cluster SET suspended_at = now() WHERE name = 'two'`);
    await waitUntil(a.watched, (watched) => watched.join() === 'three');
    const { rows } = await waitUntil(
      () =>
        test.pool.query<{ holder: string | null }>(
          `SELECT l.holder FROM watch_lease l JOIN cluster c ON c.id = l.cluster_id WHERE c.name = 'two'`,
        ),
      (found) => found.rows[0]?.holder === null,
    );
    expect(rows).toEqual([{ holder: null }]);
  });
});

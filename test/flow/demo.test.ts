import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDemo } from '../../src/demo/run-demo.service.js';
import type { Instances } from '../../src/demo/run-demo.service.js';
import { IntakeService } from '../../src/pipeline/intake.service.js';
import type { RecogniserService } from '../../src/pipeline/recogniser.service.js';
import { Clock } from '../../src/platform/clock.js';
import { createLogger, LOGGER } from '../../src/platform/logger.service.js';
import { ClusterRepository } from '../../src/store/cluster.repository.js';
import { Prisma } from '../../src/store/prisma.service.js';
import { Registrations } from '../../src/store/registrations.service.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';
import type { IncidentState } from '../support/stream.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { EXPECTED } from './demo-expected.js';

const HOUR = 3_600_000;
const CLUSTERS = ['demo-tke', 'demo-ack', 'demo-plain'] as const;

let database: TestDatabase;
let intake: TestIntake;
let prisma: Prisma;
let app: Instances;
let ahead = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  prisma = new Prisma(intake.database);
  const recogniser = await bundledRecogniser();
  const recognisers = { current: () => recogniser } as RecogniserService;
  const instances = new Map<unknown, unknown>([
    [ClusterRepository, new ClusterRepository(prisma, intake.database, new Registrations())],
    [IntakeService, new IntakeService(intake.repository, recognisers, { batch: 1000, high: 10_000, writers: 2 })],
    [Clock, { now: () => Date.now() + ahead }],
    [LOGGER, createLogger('silent')],
  ]);
  app = { get: (token: unknown) => instances.get(token) } as Instances;
});
afterAll(async () => {
  await prisma.onApplicationShutdown();
  await intake.close();
  await database.drop();
});

const idOf = async (cluster: string): Promise<number> =>
  (await intake.database.rows<{ id: number }>('SELECT id FROM cluster WHERE name = $1', cluster))[0]!.id;
const statesOf = async (cluster: string): Promise<IncidentState[]> => intake.state(await idOf(cluster));
const all = (): Promise<unknown[]> =>
  Promise.all(CLUSTERS.map(async (cluster) => [await statesOf(cluster), await intake.rollups(await idOf(cluster))]));

function show({ problem, subject, status, resolvedBy, episodes, occurrences, affected }: IncidentState): string {
  const how = resolvedBy ? `${status} ${resolvedBy}` : status;
  return `${problem} ${subject}: ${how}, ${episodes.length} episode(s), ${occurrences} in ${affected}`;
}

describe('the demo', () => {
  it.each(CLUSTERS)('leaves %s with incidents of every fate', async (cluster) => {
    if (cluster === 'demo-tke') await runDemo(app);
    expect((await statesOf(cluster)).map(show)).toEqual(EXPECTED[cluster].incidents);
    const undiagnosed = await intake.database.rows<{ what: string }>(
      `SELECT DISTINCT kind || ' ' || reason AS what FROM event WHERE cluster_id = $1 AND problem_id IS NULL AND type = 'Warning' ORDER BY 1`,
      await idOf(cluster),
    );
    expect(undiagnosed.map(({ what }) => what)).toEqual(EXPECTED[cluster].undiagnosed);
  });

  it('shows open, resolved in three ways, and reopened incidents', async () => {
    const states = (await Promise.all(CLUSTERS.map(statesOf))).flat();
    const fates = new Set(states.map(({ status, resolvedBy }) => resolvedBy ?? status));
    expect([...fates].sort()).toEqual(['OBJECT_GONE', 'QUIET', 'SUCCESS_EVENT', 'open']);
    expect(states.filter(({ status, episodes }) => status === 'open' && episodes.length > 1).length).toBeGreaterThanOrEqual(3);
  });

  it('multiplies nothing when it runs again within a day', async () => {
    const before = await all();
    ahead = 23 * HOUR;
    const results = await runDemo(app);
    expect(results.map(({ accepted }) => accepted)).toEqual([0, 0, 0]);
    expect(await all()).toEqual(before);
  });

  it('tells the events of another day when it runs on another day', async () => {
    const before = (await statesOf('demo-tke')).length;
    ahead = 25 * HOUR;
    const results = await runDemo(app);
    expect(results.every(({ accepted, merged }) => accepted > merged)).toBe(true);
    const after = await statesOf('demo-tke');
    expect(after).toHaveLength(before);
    expect(after.find(({ problem }) => problem === 'tke/ingress/E4011')!.episodes.length).toBeGreaterThan(2);
  });

  it('leaves a cluster alone that only has the name of a demo', async () => {
    await intake.database.rows(`UPDATE cluster SET labels = '{}' WHERE name = 'demo-ack'`);
    expect((await runDemo(app)).map(({ cluster }) => cluster)).toEqual(['demo-tke', 'demo-plain']);
  });
});

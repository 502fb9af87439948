import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Casebook } from '../../src/casebook.service.js';
import { startCasebook } from '../../src/casebook.service.js';
import { parseConfig } from '../../src/config/config.js';
import { SilenceService } from '../../src/pipeline/silence.service.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { crash } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

const MINUTE = 60_000;
const SILENT = 'casebook/cluster/silent';

let casebook: TestCasebook;
/** The present of the tests, which runs ahead of the machine's: the service is told it. */
let now: number;

beforeAll(async () => {
  casebook = await startTestCasebook({}, 'knowledge');
  now = Date.now();
  await silenceOf(casebook).run(now);
});
afterAll(async () => {
  await second?.stop();
  await casebook.stop();
});

/** The watch over silence of one service, which looks when a test says so: its own looks, by the machine's clock, would end what it raised. */
function silenceOf({ app }: Pick<Casebook, 'app'>): SilenceService {
  const service = app.get(SilenceService);
  const { run } = SilenceService.prototype;
  service.run = async (at) => (typeof at === 'number' ? run.call(service, at) : { raised: 0, ended: 0 });
  return service;
}

/** Lets time pass while Casebook is there, looking once a minute as it does. */
async function pass(minutes: number, service = silenceOf(casebook)): Promise<void> {
  for (let i = 0; i < minutes; i++) await service.run((now += MINUTE));
}

/** Lets time pass while Casebook is away. */
function beAway(minutes: number): void {
  now += minutes * MINUTE;
}

/** A cluster that has been talking every minute for the last half hour of the tests' present, and was heard just now. */
async function talking(name: string, { every = 1 } = {}): Promise<void> {
  await casebook.register(name);
  await hear(name);
  await casebook.database.pool.query(
    `INSERT INTO cluster_minute (cluster_id, minute, heard_at, pause_ms, events, received, lag)
     SELECT c.id, date_trunc('minute', t), t, CASE WHEN $2::int > 1 THEN $2::int * 60000 END, 3, 4, array_fill(0, ARRAY[12])
     FROM cluster c, generate_series(c.last_heard_at - 30 * $2::int * interval '1 minute', c.last_heard_at - $2::int * interval '1 minute', $2::int * interval '1 minute') t
     WHERE c.name = $1 ON CONFLICT DO NOTHING`,
    [name, every],
  );
}

/** Posts an event and dates it to the present of the tests. */
async function hear(name: string): Promise<void> {
  const { status } = await casebook.post(name, crash());
  expect(status).toBe(200);
  await dateLastWord(name);
}

async function dateLastWord(name: string): Promise<void> {
  const heardAt = new Date(now);
  await casebook.database.pool.query('UPDATE cluster SET last_heard_at = $2 WHERE name = $1', [name, heardAt]);
  await casebook.database.pool.query(
    `UPDATE cluster_minute m SET minute = date_trunc('minute', $2::timestamptz), heard_at = $2
     FROM cluster c WHERE c.id = m.cluster_id AND c.name = $1 AND m.minute = (SELECT max(minute) FROM cluster_minute o WHERE o.cluster_id = c.id)
       AND m.minute < date_trunc('minute', $2::timestamptz)`,
    [name, heardAt],
  );
}

interface Found {
  status: string;
  severity: string;
  resolvedBy: string | null;
  resolvedAt: string | null;
  firstSeenAt: string;
  subject: { kind: string; name: string };
  occurrences: number;
  episodes: { startedAt: string; endedAt: string | null }[];
  problem: { id: string; provider: string };
  events: { nodes: { message: string; reporter: string }[] };
}

async function silences(...clusters: string[]): Promise<Found[]> {
  const { data, errors } = await casebook.graphql<{ incidents: { nodes: Found[] } }>(
    `query ($clusters: [String!]) { incidents(filter: { clusters: $clusters, problems: ["${SILENT}"] }) { nodes {
       status severity resolvedBy resolvedAt firstSeenAt occurrences subject { kind name } episodes { startedAt endedAt } problem { id provider }
       events { nodes { message reporter } } } } }`,
    { clusters },
  );
  expect(errors).toBeUndefined();
  return data.incidents.nodes;
}

describe('a cluster that was talking and stops', () => {
  it('raises one incident, which ends when it is heard again', async () => {
    await talking('stops');
    const heard = now;
    await pass(9);
    expect(await silences('stops')).toEqual([]);
    await pass(3);
    const [open, ...others] = await silences('stops');
    expect(others).toEqual([]);
    expect(open).toMatchObject({
      status: 'OPEN',
      severity: 'ERROR',
      subject: { kind: 'Cluster', name: 'stops' },
      occurrences: 1,
      problem: { id: SILENT, provider: 'CASEBOOK' },
      firstSeenAt: new Date(heard + 10 * MINUTE).toISOString(),
    });
    expect(open!.events.nodes[0]).toMatchObject({
      reporter: 'casebook',
      message: expect.stringContaining('Cluster stops has fallen silent.'),
    });

    await pass(30);
    expect(await silences('stops')).toMatchObject([{ status: 'OPEN', occurrences: 1 }]);

    await hear('stops');
    const again = now;
    await pass(1);
    expect(await silences('stops')).toMatchObject([
      {
        status: 'RESOLVED',
        resolvedBy: 'SUCCESS_EVENT',
        resolvedAt: new Date(again).toISOString(),
        episodes: [{ endedAt: new Date(again).toISOString() }],
      },
    ]);
  });

  it('may pause for three times its usual longest pause', async () => {
    await talking('slow', { every: 8 });
    await pass(23);
    expect(await silences('slow')).toEqual([]);
    await pass(2);
    expect(await silences('slow')).toMatchObject([{ status: 'OPEN' }]);
  });

  it('is heard by repeats too, and not by a question whether it may send', async () => {
    await talking('repeats');
    const event = crash({ uid: 'said-before' });
    await casebook.post('repeats', event);
    await hear('repeats');
    await pass(12);
    expect((await casebook.send('HEAD', '/v1/clusters/repeats/events')).status).toBe(200);
    await pass(1);
    expect(await silences('repeats')).toMatchObject([{ status: 'OPEN' }]);
    expect((await casebook.post('repeats', event)).body).toMatchObject({ accepted: 0, merged: 1 });
    await dateLastWord('repeats');
    await pass(1);
    expect(await silences('repeats')).toMatchObject([{ status: 'RESOLVED' }]);
  });

  it('opens a second episode when it stops once more', async () => {
    await talking('again');
    await pass(12);
    await hear('again');
    await pass(12);
    expect(await silences('again')).toMatchObject([
      { status: 'OPEN', occurrences: 2, episodes: [{ endedAt: null }, { endedAt: expect.any(String) }] },
    ]);
  });

  it('is not judged before it was heard in ten minutes, nor when it was never heard', async () => {
    await casebook.register('newcomer');
    await hear('newcomer');
    await casebook.register('mute');
    await pass(30);
    expect(await silences('newcomer', 'mute')).toEqual([]);
  });
});

/** One more replica of the service, on the same database. */
async function startReplica(): Promise<Casebook> {
  const config = parseConfig({ PORT: '0', DATABASE_URL: casebook.database.url, CASEBOOK_DATABASE_POOL: '3' });
  const folders = { knowledge: resolve('knowledge'), migrations: resolve('prisma/migrations') };
  return startCasebook({ config, logger: createLogger('silent'), folders });
}

let second: Casebook | undefined;

/** The same further replica for all tests: starting one takes a second. */
async function replica(): Promise<SilenceService> {
  second ??= await startReplica();
  return silenceOf(second);
}

describe('Casebook itself', () => {
  it('raises no silence for the time in which it was away, and takes up its count when it is back', async () => {
    await talking('waiting');
    await pass(3);
    beAway(45);
    const restarted = await startReplica();
    onTestFinished(() => restarted.stop());
    await pass(9, silenceOf(restarted));
    expect(await silences('waiting')).toEqual([]);
    await pass(3);
    expect(await silences('waiting')).toMatchObject([{ status: 'OPEN' }]);
  });

  it('does not forget over a restart what it has raised', async () => {
    await talking('still');
    await pass(12);
    beAway(45);
    await pass(2, await replica());
    expect(await silences('still')).toMatchObject([{ status: 'OPEN', occurrences: 1 }]);
  });

  it('is not away while another replica is there, and counts through a short pause', async () => {
    await talking('rolling');
    const replicas = [silenceOf(casebook), await replica()];
    for (let i = 0; i < 12; i++) await replicas[i % 2]!.run((now += 80_000));
    expect(await silences('rolling')).toMatchObject([{ status: 'OPEN', occurrences: 1 }]);
  });

  it('raises and ends each silence once, however many replicas look at the same moment', async () => {
    const names = ['both-1', 'both-2', 'both-3'];
    for (const name of names) await talking(name);
    const others = [silenceOf(casebook), await replica(), silenceOf(casebook)];
    await pass(9);
    now += 2 * MINUTE - 30_000;
    const raised = await Promise.all(others.map((other) => other.run(now)));
    expect(raised.reduce((sum, run) => sum + run.raised, 0)).toBe(3);
    const { rows } = await casebook.database.pool.query(
      `SELECT i.occurrences::int, (SELECT count(*)::int FROM event e WHERE e.incident_id = i.id) AS events FROM incident i
       JOIN cluster c ON c.id = i.cluster_id WHERE i.problem_id = $1 AND c.name = ANY($2)`,
      [SILENT, names],
    );
    expect(rows).toEqual(names.map(() => ({ occurrences: 1, events: 1 })));
    for (const name of names) await hear(name);
    now += MINUTE;
    const ended = await Promise.all(others.map((other) => other.run(now)));
    expect(ended.reduce((sum, run) => sum + run.ended, 0)).toBe(3);
    expect((await silences(...names)).map(({ status }) => status)).toEqual(['RESOLVED', 'RESOLVED', 'RESOLVED']);
  });
});

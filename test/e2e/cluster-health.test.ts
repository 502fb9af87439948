/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SilenceService } from '../../src/pipeline/silence.service.js';
import { HealthRepository } from '../../src/store/health.repository.js';
import { statementsOf } from '../support/count-statements.js';
import { coreEvent, crash } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({}, 'knowledge');
  await look();
  // Casebook has been there all week.
  await sql(`UPDATE service_span SET started_at = now() - interval '7 days'`);
});
afterAll(() => casebook.stop());

const sql = (text: string, ...params: unknown[]) => casebook.database.pool.query(text, params);
const look = () => casebook.app.get(SilenceService).run();

/** A cluster that was heard for an hour, every minute but in the pauses, and for the last time `ago` minutes ago. */
async function heard(name: string, ago: number, pauses: { from: number; minutes: number; silent?: boolean }[] = []): Promise<void> {
  await casebook.register(name);
  await sql(
    `INSERT INTO cluster_minute (cluster_id, minute, heard_at, events, received, lag)
     SELECT c.id, date_trunc('minute', t), t, 4, 6, ARRAY[3,0,0,1,0,0,0,0,0,0,0,0] FROM cluster c, generate_series(now() - ($2::int + 60) * interval '1 minute', now() - $2::int * interval '1 minute', interval '1 minute') t
     WHERE c.name = $1`,
    name,
    ago,
  );
  for (const { from, minutes, silent = false } of pauses) {
    await sql(
      `INSERT INTO cluster_minute (cluster_id, minute, heard_at, pause_ms, silent, events, received, lag)
       SELECT c.id, date_trunc('minute', t), t, $3::int * 60000, $4, 1, 1, array_fill(0, ARRAY[12]) FROM cluster c, (SELECT now() - ($2::int - $3::int) * interval '1 minute' AS t) t
       WHERE c.name = $1`,
      name,
      from,
      minutes,
      silent,
    );
  }
  await sql(`UPDATE cluster SET last_heard_at = now() - $2::int * interval '1 minute' WHERE name = $1`, name, ago);
}

async function watched(name: string, state: string, { lease = 1, position = 1, error = null as string | null } = {}): Promise<void> {
  await sql(
    `INSERT INTO watch_lease (cluster_id, mode, state, expires_at, position_at, error) SELECT id, 'kubeconfig', $2, now() + $3::int * interval '1 minute',
       now() - $4::int * interval '1 minute', $5 FROM cluster WHERE name = $1
     ON CONFLICT (cluster_id) DO UPDATE SET state = EXCLUDED.state, expires_at = EXCLUDED.expires_at, position_at = EXCLUDED.position_at, error = EXCLUDED.error`,
    name,
    state,
    lease,
    position,
    error,
  );
}

const FIELDS = `status reason lastHeardAt silentAt windowMinutes eventsPerMinute receivedPerMinute lagMedianSeconds lag95Seconds usualPauseSeconds
  silenceAfter watched gaps { from until reason }`;

async function healthOf(name: string): Promise<Record<string, any>> {
  const { data, errors } = await casebook.graphql<{ cluster: { health: Record<string, any> } }>(
    `query ($name: String!) { cluster(name: $name) { health { ${FIELDS} } } }`,
    { name },
  );
  expect(errors).toBeUndefined();
  return data.cluster.health;
}

async function silences(name: string): Promise<{ status: string; resolvedBy: string | null }[]> {
  const query =
    'query ($name: String!) { incidents(filter: { clusters: [$name], problems: ["casebook/cluster/silent"] }) { nodes { status resolvedBy } } }';
  return (await casebook.graphql(query, { name })).data['incidents'].nodes;
}

const minutesAgo = (at: unknown): number => Math.round((Date.now() - Date.parse(String(at))) / 60_000);

describe('the health of a cluster', () => {
  it('says of one that was never heard that it was not', async () => {
    await casebook.register('never');
    expect(await healthOf('never')).toMatchObject({
      status: 'NEVER_HEARD',
      lastHeardAt: null,
      silentAt: null,
      eventsPerMinute: 0,
      lagMedianSeconds: null,
      gaps: [],
    });
  });

  it('counts what comes in, and how late', async () => {
    await casebook.register('talks');
    const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const events = [
      ...Array.from({ length: 18 }, (_, i) => coreEvent({ uid: `new-${i}`, at: at(3) })),
      coreEvent({ uid: 'late-1', at: at(400) }),
      coreEvent({ uid: 'late-2', at: at(800) }),
    ];
    await casebook.post('talks', events);
    await casebook.post('talks', events.slice(0, 10));
    expect(await healthOf('talks')).toMatchObject({
      status: 'TALKING',
      windowMinutes: 15,
      eventsPerMinute: 1.33,
      receivedPerMinute: 2,
      lagMedianSeconds: 5,
      lag95Seconds: 900,
      usualPauseSeconds: null,
      silenceAfter: null,
      watched: false,
    });
  });

  it('notes the pause that a new event ends', async () => {
    await heard('pauses', 40);
    await casebook.post('pauses', crash());
    await casebook.post('pauses', crash());
    const { gaps, status } = await healthOf('pauses');
    expect(status).toBe('TALKING');
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toMatchObject({ reason: 'QUIET' });
    expect([minutesAgo(gaps[0].from), minutesAgo(gaps[0].until)]).toEqual([40, 0]);
  });

  it('lists gaps with their reasons, the present one first', async () => {
    await heard('gaps', 70, [
      { from: 3000, minutes: 30, silent: true },
      { from: 2000, minutes: 20 },
      { from: 1000, minutes: 9 },
      { from: 600, minutes: 15 },
    ]);
    await sql(`INSERT INTO service_span VALUES (now() - interval '1990 minutes', now() - interval '1990 minutes')`);
    const { gaps, usualPauseSeconds, status, reason } = await healthOf('gaps');
    expect(
      gaps.map(({ from, until, reason: why }: Record<string, unknown>) => [minutesAgo(from), until && minutesAgo(until), why]),
    ).toEqual([
      [70, null, 'SILENT'],
      [600, 585, 'QUIET'],
      [2000, 1980, 'CASEBOOK_AWAY'],
      [3000, 2970, 'SILENT'],
    ]);
    await sql(`DELETE FROM service_span WHERE started_at < now() - interval '1900 minutes' AND started_at > now() - interval '2 days'`);
    // The third longest, without the one in which Casebook was away; now with it.
    expect([usualPauseSeconds, (await healthOf('gaps'))['usualPauseSeconds']]).toEqual([9 * 60, 15 * 60]);
    expect([status, reason]).toEqual([
      'SILENT',
      'No event has come for 1 hour 10 minutes; its usual longest pause is 9 minutes, so 27 minutes are allowed.',
    ]);
  });

  it('gives its reason in the language of the caller, over both APIs', async () => {
    const zh = '它从未发送过事件。';
    const ask = async (field: string, headers: Record<string, string> = {}): Promise<unknown> =>
      (await casebook.graphql(`{ cluster(name: "never") { health { ${field} } } }`, {}, headers)).data['cluster'].health;
    expect(await ask('reason(locale: ZH)')).toEqual({ reason: zh });
    expect(await ask('reason', { 'accept-language': 'zh-CN' })).toEqual({ reason: zh });
    expect(await ask('reason')).toEqual({ reason: 'It has never sent an event.' });
    expect((await casebook.send('GET', '/v1/clusters/never?locale=zh')).body.health.reason).toBe(zh);
    const { body } = await casebook.send('GET', '/v1/clusters', { headers: { 'accept-language': 'zh' } });
    expect(body.clusters.find(({ name }: { name: string }) => name === 'never').health.reason).toBe(zh);
  });

  it('is the same over REST, and for all clusters in one statement', async () => {
    const { body } = await casebook.send('GET', '/v1/clusters/gaps');
    const { gaps, ...health } = await healthOf('gaps');
    expect(body.health).toEqual({ ...health, reason: expect.any(String) });
    expect(body.gaps).toEqual(gaps);
    const all = await casebook.send('GET', '/v1/clusters');
    expect(all.body.clusters.find(({ name }: { name: string }) => name === 'never').health.status).toBe('NEVER_HEARD');
    const counted = await statementsOf(async () => {
      const { data } = await casebook.graphql('{ clusters { name health { status gaps(first: 2) { reason } } } }');
      expect(data['clusters'].length).toBeGreaterThan(3);
    });
    expect(counted.filter((text) => /cluster_minute/.test(text))).toHaveLength(2);
  });

  it('is told among the metrics', async () => {
    const { body } = await casebook.send('GET', '/metrics');
    const value = (name: string, cluster: string) =>
      new RegExp(`^casebook_cluster_${name}\\{cluster="${cluster}"\\} (\\S+)$`, 'm').exec(String(body))?.[1];
    expect(minutesAgo(new Date(Number(value('last_heard_timestamp_seconds', 'gaps')) * 1000))).toBe(70);
    expect(value('last_heard_timestamp_seconds', 'never')).toBeUndefined();
    expect([value('silent', 'gaps'), value('silent', 'talks'), value('silent', 'never')]).toEqual(['1', '0', '0']);
    expect(Number(value('events_per_minute', 'talks'))).toBeCloseTo(20 / 15);
    expect(value('lag_95_seconds', 'talks')).toBe('900');
  });
});

describe('a cluster that may be quiet', () => {
  it('is one that is set so, and is silent again when the setting is taken back', async () => {
    await heard('set', 30);
    await look();
    expect(await silences('set')).toMatchObject([{ status: 'OPEN' }]);
    const set = (after: string | null) =>
      casebook.graphql(
        'mutation ($after: String) { setClusterSilence(cluster: "set", after: $after) { health { status silenceAfter } } }',
        { after },
      );
    expect((await set('off')).data['setClusterSilence'].health).toEqual({ status: 'QUIET', silenceAfter: 'off' });
    await look();
    expect(await silences('set')).toMatchObject([{ status: 'RESOLVED' }]);
    expect((await set('2h')).data['setClusterSilence'].health).toEqual({ status: 'QUIET', silenceAfter: '7200s' });
    expect((await set('20m')).data['setClusterSilence'].health).toEqual({ status: 'SILENT', silenceAfter: '1200s' });
    expect((await set('soon')).errors![0]!.extensions.code).toBe('BAD_INPUT');
    await look();
    expect(await silences('set')).toMatchObject([{ status: 'OPEN' }]);
    expect((await set(null)).data['setClusterSilence'].health).toEqual({ status: 'SILENT', silenceAfter: null });
  });

  it('is one that is suspended', async () => {
    await heard('paused', 30);
    await sql(`UPDATE cluster SET suspended_at = now() WHERE name = 'paused'`);
    await look();
    expect([(await healthOf('paused'))['status'], await silences('paused')]).toEqual(['SUSPENDED', []]);
    // Back again, it has as long as ever to say something.
    await sql(`UPDATE cluster SET suspended_at = NULL WHERE name = 'paused'`);
    await look();
    expect([(await healthOf('paused'))['status'], await silences('paused')]).toEqual(['QUIET', []]);
    await sql(`UPDATE cluster SET resumed_at = now() - interval '11 minutes' WHERE name = 'paused'`);
    await look();
    expect(await silences('paused')).toMatchObject([{ status: 'OPEN' }]);
    await sql(`UPDATE cluster SET suspended_at = now() WHERE name = 'paused'`);
    await look();
    expect(await silences('paused')).toMatchObject([{ status: 'RESOLVED' }]);
  });

  it('is one whose watch works, and only as long as it does', async () => {
    await heard('watched', 300);
    await watched('watched', 'watching');
    await look();
    expect(await healthOf('watched')).toMatchObject({
      status: 'QUIET',
      watched: true,
      reason: expect.stringContaining('nothing happens there'),
    });
    expect(await silences('watched')).toEqual([]);

    await watched('watched', 'backing-off', { position: 5, error: 'connect ECONNREFUSED' });
    await look();
    expect(await silences('watched')).toEqual([]);
    await watched('watched', 'backing-off', { position: 11, error: 'connect ECONNREFUSED' });
    await look();
    expect(await silences('watched')).toMatchObject([{ status: 'OPEN' }]);
    expect(await healthOf('watched')).toMatchObject({
      status: 'SILENT',
      reason: expect.stringContaining('the watch over it does not work: connect ECONNREFUSED'),
    });

    await watched('watched', 'watching');
    await look();
    expect(await silences('watched')).toMatchObject([{ status: 'RESOLVED', resolvedBy: 'SUCCESS_EVENT' }]);
  });

  it('is one whose watching replica has just died, for a while', async () => {
    await heard('orphan', 300);
    await watched('orphan', 'watching', { lease: -2, position: 300 });
    await look();
    expect(await silences('orphan')).toEqual([]);
    await watched('orphan', 'watching', { lease: -11, position: 300 });
    await look();
    expect(await silences('orphan')).toMatchObject([{ status: 'OPEN' }]);
  });
});

describe('an end that nobody told of', () => {
  const QUERY = `query ($cluster: String!) { incidents(filter: { clusters: [$cluster], kinds: ["Node", "Deployment"] }) { nodes {
    status subject { kind } endAssumed { reason since text } episodes { assumed resolution } } } }`;
  const ends = async (cluster: string) => (await casebook.graphql(QUERY, { cluster })).data['incidents'].nodes;
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const notReady = (at: string) =>
    coreEvent({
      kind: 'Node',
      namespace: '',
      name: 'node-7',
      reason: 'NodeNotReady',
      message: 'Node node-7 status is now: NodeNotReady',
      at,
    });
  const ready = (at: string) =>
    coreEvent({
      kind: 'Node',
      namespace: '',
      name: 'node-7',
      reason: 'NodeReady',
      message: 'Node node-7 status is now: NodeReady',
      type: 'Normal',
      at,
    });

  it('is none where a success was told of, and a success that is overdue says so', async () => {
    await casebook.register('ends');
    await casebook.post('ends', [notReady(ago(3000)), ready(ago(2990))]);
    expect(await ends('ends')).toMatchObject([{ status: 'RESOLVED', endAssumed: null, episodes: [{ assumed: false }] }]);
    await casebook.post('ends', [notReady(ago(50))]);
    expect(await ends('ends')).toMatchObject([{ status: 'OPEN', endAssumed: null }]);
    await casebook.register('overdue');
    await casebook.post('overdue', [notReady(ago(3000)), ready(ago(2970)), notReady(ago(100))]);
    expect(await ends('overdue')).toMatchObject([
      { status: 'OPEN', endAssumed: { reason: 'SUCCESS_OVERDUE' }, episodes: [{ assumed: false }, { assumed: false }] },
    ]);
  });

  it('is one of quiet', async () => {
    await casebook.register('calm');
    await casebook.post('calm', crash({ at: ago(300) }));
    await casebook.post('calm', crash({ at: ago(2) }));
    expect(await ends('calm')).toMatchObject([
      { status: 'OPEN', endAssumed: null, episodes: [{ assumed: false }, { assumed: true, resolution: 'QUIET' }] },
    ]);
  });

  it('is told of what is open in a silent cluster', async () => {
    await heard('dark', 30);
    await casebook.post('dark', notReady(ago(31)));
    await sql(`UPDATE cluster SET last_heard_at = now() - interval '30 minutes' WHERE name = 'dark'`);
    expect(await ends('dark')).toMatchObject([
      { status: 'OPEN', endAssumed: { reason: 'CLUSTER_SILENT', text: expect.stringContaining('it may have ended meanwhile') } },
    ]);
  });
});

describe('what health is told from', () => {
  it('is dropped after eight days', async () => {
    await heard('old', 30);
    await sql(`UPDATE cluster_minute SET minute = minute - interval '9 days' FROM cluster c WHERE c.id = cluster_id AND c.name = 'old'`);
    expect(await casebook.app.get(HealthRepository).dropOld()).toBe(61);
    expect(casebook.logged).toEqual([]);
  });
});

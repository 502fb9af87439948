import { Agent, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntakeService } from '../../src/pipeline/intake.service.js';
import { IntakeRepository } from '../../src/store/intake.repository.js';
import { DatabaseUnavailableError } from '../../src/store/database.service.js';
import { coreEvent, e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_DATABASE_POOL: '5' });
});
afterAll(() => casebook?.stop());

const told = (body: { error?: { code: string; message: string } }): string => body.error?.message ?? '';
const limit = (name: string, eventsPerSecond: number | null): Promise<unknown> =>
  casebook.graphql('mutation ($name: String!, $rate: Int) { updateCluster(name: $name, input: { eventsPerSecond: $rate }) { name } }', {
    name,
    rate: eventsPerSecond,
  });
const events = (prefix: string, count: number): object[] =>
  Array.from({ length: count }, (_, i) => coreEvent({ uid: `${prefix}-${i}`, reason: 'Scheduled', message: 'placed', type: 'Normal' }));

async function stored(name: string): Promise<number> {
  const { rows } = await casebook.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM event e JOIN cluster c ON c.id = e.cluster_id WHERE c.name = $1',
    [name],
  );
  return rows[0]!.n;
}

describe('a cluster that sends more than its rate', () => {
  it('is told 503 and when to come back, before its body is read, and others are not', async () => {
    await casebook.register('fast');
    await casebook.register('slow');
    await limit('fast', 1);
    // A minute's worth is allowed at once; what is over it has to be waited for.
    expect((await casebook.post('fast', events('fast', 100))).body).toMatchObject({ accepted: 100 });
    const { status, headers, body } = await casebook.post('fast', '{ this is not even JSON');
    expect([status, told(body)]).toEqual([503, 'Come back later: cluster "fast" has sent more than its 1 events per second.']);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(41);
    expect((await casebook.post('slow', e4011())).status).toBe(200);
    expect((await casebook.send('HEAD', '/v1/clusters/fast/events')).status).toBe(200);
    const { body: metrics } = await casebook.send('GET', '/metrics');
    expect(metrics).toContain('casebook_intake_refused_total{cluster="fast",limit="rate"} 1');
    await limit('fast', null);
    expect((await casebook.post('fast', e4011())).status).toBe(200);
  });

  it('is not charged for what could not be stored, however often it tries', async () => {
    await casebook.register('patient');
    await limit('patient', 1);
    const intake = casebook.app.get(IntakeService);
    const { submit } = intake;
    intake.submit = () => Promise.reject(new DatabaseUnavailableError('the database did not answer'));
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await casebook.post('patient', events('patient', 100))).status);
    intake.submit = submit;
    statuses.push((await casebook.post('patient', events('patient', 100))).status);
    expect(statuses).toEqual([503, 503, 503, 200]);
  });

  it('does not hear of a wait longer than five minutes', async () => {
    await casebook.register('faster');
    await limit('faster', 1);
    await casebook.post('faster', events('faster', 2000));
    expect((await casebook.post('faster', e4011())).headers.get('retry-after')).toBe('300');
  });
});

/** Writes down in order when events of a cluster are handed in and when a batch of them is begun. */
function watchBatches(): string[] {
  const order: string[] = [];
  const names = new Map<number, string>();
  const [intake, repository] = [casebook.app.get(IntakeService), casebook.app.get(IntakeRepository)];
  const [submit, transaction] = [intake.submit.bind(intake), repository.transaction.bind(repository)];
  intake.submit = (cluster, list) => {
    names.set(cluster.id, cluster.name);
    order.push(`submit ${cluster.name}`);
    return submit(cluster, list);
  };
  repository.transaction = (id, ...rest) => {
    order.push(`batch ${names.get(id)}`);
    return transaction(id, ...rest);
  };
  return order;
}

describe('a cluster that floods from many connections', () => {
  it('leaves room and turns to another, which is answered all along', { timeout: 60_000 }, async () => {
    await casebook.register('flood');
    await casebook.register('quiet');
    await limit('flood', 1_000_000);
    const order = watchBatches();
    const flood = { taken: 0, refused: 0, running: true };
    // Together more than one cluster may have waiting.
    const flooding = Array.from({ length: 8 }, async (_, sender) => {
      const body = JSON.stringify(events(`flood-${sender}`, 2500));
      while (flood.running) {
        const { status, headers } = await casebook.post('flood', body);
        if (status === 200) flood.taken++;
        else {
          expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
          flood.refused++;
          const before = flood.taken;
          while (flood.running && flood.taken === before) await casebook.send('GET', '/healthz');
        }
      }
    });
    while (flood.refused === 0) await casebook.send('GET', '/healthz');
    for (let i = 0; i < 6; i++) {
      const { status, body } = await casebook.post('quiet', e4011({ uid: `quiet-${i}` }));
      expect([status, body]).toEqual([200, { accepted: 1, merged: 0, rejected: [] }]);
    }
    flood.running = false;
    await Promise.all(flooding);
    expect(await stored('quiet')).toBe(6);
    // Of the ten batches that the other may have waiting, none is begun before a post of this one.
    const waits = order.flatMap((entry, at) => (entry === 'submit quiet' ? [order.slice(at, order.indexOf('batch quiet', at))] : []));
    expect(waits).toHaveLength(6);
    for (const wait of waits) expect(wait).not.toContain('batch flood');
    expect(order.filter((entry) => entry === 'batch flood').length).toBeGreaterThan(6);
  });
});

describe('bodies that come in slowly', () => {
  it('take no more of the memory of one cluster than its share', async () => {
    await casebook.register('dripping');
    await casebook.register('normal');
    const agent = new Agent({ maxSockets: Infinity });
    const open = Array.from({ length: 4 }, () => {
      const started = request(`${casebook.url}/v1/clusters/dripping/events`, {
        method: 'POST',
        agent,
        headers: { 'content-length': String(16 * 1024 * 1024) },
      });
      started.on('error', () => undefined);
      started.write('[');
      return started;
    });
    try {
      let answer = await casebook.post('dripping', e4011());
      while (answer.status === 200) answer = await casebook.post('dripping', e4011());
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(told(answer.body)).toContain('bytes are being received');
      expect((await casebook.post('normal', e4011())).status).toBe(200);
    } finally {
      for (const each of open) each.destroy();
      agent.destroy();
    }
    let after = await casebook.post('dripping', e4011());
    while (after.status === 503) after = await casebook.post('dripping', e4011());
    expect(after.status).toBe(200);
  });

  it('take none at all when their senders went while the cluster was being looked up', async () => {
    await casebook.register('hurried');
    const blocker = await casebook.database.pool.connect();
    const server = casebook.app.getHttpServer() as Server;
    const sockets: Socket[] = [];
    const arrive = ({ socket }: IncomingMessage): void => void sockets.push(socket);
    server.on('request', arrive);
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE cluster IN ACCESS EXCLUSIVE MODE');
      const gone = Array.from({ length: 4 }, () => {
        const started = request(`${casebook.url}/v1/clusters/hurried/events`, {
          method: 'POST',
          agent: false,
          headers: { 'content-length': String(16 * 1024 * 1024) },
        });
        started.on('error', () => undefined);
        started.write('[');
        return started;
      });
      const waiting = async (): Promise<number> => {
        const { rows } = await casebook.database.pool.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'cluster'::regclass`,
        );
        return rows[0]!.n;
      };
      // One waits for the table at least, the others for it or for a connection.
      await waitUntil(waiting, (count) => count > 0);
      await waitUntil(
        () => sockets.length,
        (count) => count === 4,
      );
      for (const each of gone) each.destroy();
      await waitUntil(
        () => sockets.filter(({ destroyed }) => !destroyed),
        ({ length }) => length === 0,
      );
    } finally {
      server.off('request', arrive);
      await blocker.query('ROLLBACK');
      blocker.release();
    }
    for (let i = 0; i < 3; i++) expect((await casebook.post('hurried', e4011({ uid: `hurried-${i}` }))).status).toBe(200);
  });
});

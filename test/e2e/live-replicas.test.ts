import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cuttableLine } from '../support/cuttable-line.js';
import { e4011 } from '../support/core-event.js';
import { openEvents, subscribe } from '../support/live-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { startTestCasebook } from '../support/start-casebook.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const INCIDENTS = 120;
const PART = 40;

describe('two replicas', () => {
  let database: TestDatabase;
  const replicas: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'error' };
    replicas.push(...(await Promise.all([ServiceProcess.start(env), ServiceProcess.start(env)])));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database?.drop();
  });

  it('give a subscriber everything once, although its replica is killed and it goes on with the other', async () => {
    const [near, far] = replicas as [ServiceProcess, ServiceProcess];
    await fetch(`${far.url}/v1/clusters`, { method: 'POST', body: JSON.stringify({ name: 'prod', provider: 'tke' }) });
    const stream = await openEvents(`${near.url}/v1/incidents/changes?kinds=Ingress`);
    const subscription = await subscribe(near.url);
    await stream.marks.next(1);

    // Four at a time, so that the transactions of the intake overlap with each other and with the readers.
    const names = Array.from({ length: INCIDENTS }, (_, i) => `web-${i}`);
    const queue = names.values();
    const sender = async (): Promise<void> => {
      for (const name of queue) {
        const { status } = await fetch(`${far.url}/v1/clusters/prod/events`, { method: 'POST', body: JSON.stringify(e4011({ name })) });
        expect(status).toBe(200);
      }
    };
    const sending = Promise.all([sender(), sender(), sender(), sender()]);
    const [first, same] = await Promise.all([stream.changes.next(PART), subscription.next(PART)]);
    await Promise.all([near.kill(), stream.changes.outcome(), subscription.outcome()]);
    const rest = stream.changes.all.slice(PART);
    const seen = [...first, ...rest];
    const restSame = subscription.all.slice(PART);
    const seenSame = [...same, ...restSame].map(({ data }) => data.incidentChanged);

    const again = await openEvents(`${far.url}/v1/incidents/changes?kinds=Ingress`, { 'last-event-id': seen.at(-1)!.id! });
    const resumed = await subscribe(far.url, undefined, { variables: { after: seenSame.at(-1).cursor } });
    await sending;
    seen.push(...(await again.changes.next(INCIDENTS - seen.length)));
    seenSame.push(...(await resumed.next(INCIDENTS - seenSame.length)).map(({ data }) => data.incidentChanged));
    again.close();
    await resumed.close();

    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT i.subject_name AS name FROM incident_change c JOIN incident i ON i.id = c.incident_id WHERE c.kind = 'OPENED' ORDER BY c.xid, c.seq`,
    );
    const written = rows.map(({ name }) => name);
    expect(written.toSorted()).toEqual(names.toSorted());
    expect(seen.map(({ data }) => data.incident.subject.name)).toEqual(written);
    expect(seenSame.map(({ incident }) => incident.subject.name)).toEqual(written);
  }, 60_000);
});

describe('a replica that loses the database for a while', () => {
  it('goes on where it was, for those who stayed', async () => {
    const other = await startTestCasebook();
    const line = await cuttableLine(other.database.url);
    const replica = await startTestCasebook({ DATABASE_URL: line.url, LOG_LEVEL: 'silent' });
    await other.register('prod');
    const subscription = await subscribe(replica.url);
    await other.post('prod', e4011({ name: 'before' }));
    const before = await subscription.next(1);
    await line.cut();
    await other.post('prod', e4011({ name: 'meanwhile' }));
    await line.mend();
    await other.post('prod', e4011({ name: 'after' }));
    const told = [...before, ...(await subscription.next(2))];
    expect(told.map(({ data }) => data.incidentChanged.incident.subject.name)).toEqual(['before', 'meanwhile', 'after']);
    await subscription.close();
    await replica.stop();
    await line.cut();
    await other.stop();
  });
});

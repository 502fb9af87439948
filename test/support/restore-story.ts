/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { expect } from 'vitest';
import { coreEvent, crash, e4011 } from './core-event.js';
import { openEvents } from './live-client.js';
import { ADMIN_TOKEN, startTestCasebook } from './start-casebook.js';
import type { TestCasebook } from './start-casebook.js';
import { TestIntake } from './stream.js';
import { waitUntil } from './wait-until.js';
import { WebhookReceiver } from './webhook-receiver.js';
import { createWebhook, synced, WEBHOOK_ENV } from './webhooks.js';
import { withClient } from './with-client.js';

/** A way to take a backup of a database, and to put it back. */
export interface BackupWay {
  /** The database that will be lost: an empty one. */
  url: string;
  /** Whether the service has to be stopped while the backup is taken. */
  cold: boolean;
  /** Whether it is put back into the same server, so that what was read before the backup is still good. */
  goesOn: boolean;
  take(): Promise<void>;
  /** Puts the backup back and returns the database; the other one is lost. */
  putBack(): Promise<string>;
}

const AT = new Date(Date.now() - 120_000).toISOString();
const ENV = {
  ...WEBHOOK_ENV,
  CASEBOOK_WEBHOOK_RETRY_MS: '600000',
  CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
  CASEBOOK_AUTH: 'required',
  LOG_LEVEL: 'silent',
};
const EVENTS = [
  e4011({ uid: 'open', name: 'open', namespace: 'held', at: AT }),
  e4011({ uid: 'ended', name: 'ended', at: AT }),
  synced('ended', 'shop'),
  crash({ uid: 'grows', count: 3, firstAt: AT, at: AT }),
  coreEvent({ uid: 'unknown', kind: 'Widget', name: 'lamp', reason: 'Stuck', message: 'widget lamp is stuck at step 3 of 9', at: AT }),
];
const LOST = e4011({ uid: 'lost', name: 'lost', at: AT });

/** Everything that people see, in the parts that fit the limit of a query. */
const SEEN = [
  `{ incidents(first: 20) { nodes { id status severity occurrences affectedCount firstSeenAt lastSeenAt resolvedAt resolvedBy version assignee silenced
    subject { kind namespace name } cluster { name } problem { id } diagnosis { matchedOn captured } episodes { startedAt endedAt resolution } } } }`,
  '{ incidents(first: 20) { nodes { id history(first: 20) { nodes { kind at by text } } } } }',
  '{ incidents(first: 20) { nodes { id affected(first: 5) { kind name } events(first: 5) { nodes { message count } } } } }',
  '{ clusters { name provider region labels openIncidents signingSecrets { id createdAt } } }',
  '{ silences { nodes { id reason endsAt changes { kind by } } } }',
  '{ webhooks { id name target hasSecret kinds } deliveries(first: 20) { nodes { id kind status } } }',
  '{ apiTokens { nodes { id name role clusters } } auditLog(first: 50) { nodes { id action outcome at } } }',
  '{ undiagnosed { id template occurrences } rejected(cluster: "prod") { nodes { reason count } } }',
  `{ errorCodeHistory(code: "E4011", from: "${AT.slice(0, 10)}T00:00:00Z", bucket: DAY) { occurrences opened resolved clusters { cluster occurrences } } }`,
];

async function ask(casebook: TestCasebook, query: string, variables?: object): Promise<any> {
  const { data, errors } = await casebook.graphql(query, variables);
  expect(errors, query).toBeUndefined();
  return data;
}

const seenIn = async (casebook: TestCasebook): Promise<any[]> => {
  const seen: any[] = [];
  for (const query of SEEN) seen.push(await ask(casebook, query));
  return seen;
};

const cursorOf = async (casebook: TestCasebook): Promise<string> =>
  (await ask(casebook, '{ incidentChangeCursor }')).incidentChangeCursor as string;
const changesAfter = (casebook: TestCasebook, after?: string) =>
  openEvents(`${casebook.url}/v1/incidents/changes?kinds=Ingress${after === undefined ? '' : `&after=${after}`}`, {
    authorization: `Bearer ${ADMIN_TOKEN}`,
  });

/** A service with data of every kind. Returns the token of a cluster, and one of a person. */
async function live(casebook: TestCasebook, receiver: WebhookReceiver): Promise<{ token: string; person: string }> {
  const token = await casebook.register('prod');
  await casebook.register('edge', 'kubernetes');
  await createWebhook(casebook, {
    name: 'told',
    url: receiver.url('/told'),
    kinds: ['OPENED'],
    filter: { clusters: ['prod'] },
    secret: 'receiver-secret',
  });
  await createWebhook(casebook, { name: 'held', url: receiver.url('/held'), filter: { namespaces: ['held'] }, kinds: ['OPENED'] });
  receiver.behave('/held', { status: 503 });
  expect((await casebook.post('prod', EVENTS, token)).body).toMatchObject({ accepted: EVENTS.length, rejected: [] });
  expect((await casebook.post('edge', [crash({ uid: 'edge', at: AT })])).body).toMatchObject({ accepted: 1 });
  expect((await casebook.post('prod', [42], token)).body.rejected).toHaveLength(1);
  const { incidents } = await ask(casebook, '{ incidents(filter: { codes: ["E4011"], statuses: [OPEN] }) { nodes { id } } }');
  const id = incidents.nodes[0].id as string;
  const work = `mutation ($id: ID!) { acknowledgeIncident(id: $id) { id } assignIncident(id: $id, assignee: "kim") { id }
    commentOnIncident(id: $id, text: "looked at it") { id } }`;
  await ask(casebook, work, { id });
  await ask(casebook, 'mutation { rotateSigningSecret(name: "prod") { secret } }');
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await ask(casebook, `mutation { createSilence(input: { clusters: ["edge"], endsAt: "${until}", reason: "known" }) { id } }`);
  const { createApiToken } = await ask(casebook, 'mutation { createApiToken(input: { name: "kim", role: VIEWER }) { token } }');
  await waitUntil(
    () => ask(casebook, '{ deliveries(first: 20) { nodes { webhookName status attempts } } }'),
    ({ deliveries: { nodes } }) =>
      nodes.filter(({ status }: any) => status === 'DELIVERED').length === 2 &&
      nodes.some((one: any) => one.webhookName === 'held' && one.attempts > 0),
  );
  const rejected = () => ask(casebook, '{ rejected(cluster: "prod") { nodes { reason } } }');
  await waitUntil(rejected, ({ rejected: { nodes } }) => nodes.length > 0);
  return { token, person: createApiToken.token as string };
}

/** Uses up numbers of transactions until the next one is above `xid`. */
async function passNumber(url: string, xid: bigint): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
    await client.query('CREATE TEMP TABLE used (one integer)');
    await client.query(`DO $$ BEGIN FOR i IN 1..${xid - BigInt(rows[0]!.xid) + 1n} LOOP
      BEGIN INSERT INTO used VALUES (i); EXCEPTION WHEN division_by_zero THEN RAISE; END; END LOOP; END $$`);
  });
}

/** What was on its way when the backup was taken goes on, as the same message. */
async function deliver(casebook: TestCasebook, url: string, receiver: WebhookReceiver): Promise<void> {
  receiver.behave('/held', { status: 200 });
  await withClient(url, (client) => client.query(`UPDATE webhook_delivery SET next_at = now() WHERE status = 'pending'`));
  await waitUntil(
    () => ask(casebook, '{ deliveries(first: 20) { nodes { webhookName status } } }'),
    ({ deliveries: { nodes } }) => nodes.some((one: any) => one.webhookName === 'held' && one.status === 'DELIVERED'),
  );
  const keys = receiver.of('/held').map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0]]);
}

/** A service with data of every kind, whose database is backed up, goes on for a while, is lost, and is restored. */
export async function restoreStory(way: BackupWay): Promise<void> {
  const receiver = await WebhookReceiver.start();
  const start = (url: string): Promise<TestCasebook> => startTestCasebook({ ...ENV, DATABASE_URL: url });
  let casebook = await start(way.url);
  const stop = (): Promise<void> => (stopping ??= casebook.stop());
  let stopping: Promise<void> | undefined;
  const startAgain = async (url: string): Promise<void> => {
    casebook = await start(url);
    stopping = undefined;
  };
  try {
    if (!way.goesOn) await passNumber(way.url, 5_000n + (await lastNumber(way.url)));
    const { token, person } = await live(casebook, receiver);
    const seen = await seenIn(casebook);
    const cursor = await cursorOf(casebook);
    if (way.cold) await stop();
    await way.take();
    if (way.cold) await startAgain(way.url);

    // What happens from here on is lost.
    expect((await casebook.post('prod', [LOST], token)).body).toMatchObject({ accepted: 1 });
    const issued = await ask(casebook, 'mutation { createApiToken(input: { name: "lee", role: VIEWER }) { token } }');
    const [late] = await taken(casebook, cursor, 1);
    const last = await lastNumber(way.url);
    await stop();

    const url = await way.putBack();
    await startAgain(url);
    expect(await seenIn(casebook)).toEqual(seen);
    expect((await casebook.send('GET', '/v1/clusters', { token: person })).status).toBe(200);
    expect((await casebook.send('GET', '/v1/clusters', { token: issued.createApiToken.token })).status).toBe(401);
    await countsOn(casebook, url, token);
    await deliver(casebook, url, receiver);

    if (way.goesOn) expect((await taken(casebook, cursor, 1))[0].data.incident.subject.name).toBe('lost');
    else expect((await changesAfter(casebook, cursor)).response.status).toBe(410);
    expect((await changesAfter(casebook, late!.id)).response.status, 'a cursor of what is lost').toBe(410);
    const stream = await changesAfter(casebook);
    await stream.marks.next(1);
    await passNumber(url, last);
    expect((await changesAfter(casebook, late!.id)).response.status, 'the same when the numbers have come as far').toBe(410);
    await casebook.post('prod', e4011({ name: 'new', at: new Date().toISOString() }), token);
    expect((await stream.changes.next(1))[0]!.data).toMatchObject({ kind: 'OPENED', incident: { subject: { name: 'new' } } });
    stream.close();
    const told = await waitUntil(
      () => receiver.of('/told').map(({ json }) => json.incident.subject.name as string),
      (names) => names.includes('new'),
    );
    expect(told.filter((name) => name === 'open' || name === 'new')).toEqual(['open', 'new']);
  } finally {
    await stop();
    await receiver.stop();
  }
}

/** Senders repeat what they sent before the backup, and what was lost: the first counts nothing, the second as ever. */
async function countsOn(casebook: TestCasebook, url: string, token: string): Promise<void> {
  expect((await casebook.post('prod', EVENTS, token)).body).toMatchObject({ accepted: 0, merged: EVENTS.length });
  expect((await casebook.post('prod', [LOST], token)).body).toMatchObject({ accepted: 1 });
  expect((await casebook.post('prod', [LOST], token)).body).toMatchObject({ merged: 1 });
  const grown = crash({ uid: 'grows', count: 5, firstAt: AT, at: new Date().toISOString() });
  expect((await casebook.post('prod', [grown], token)).body).toMatchObject({ accepted: 1 });
  const { incidents } = await ask(
    casebook,
    '{ incidents(first: 20, filter: { clusters: ["prod"] }) { nodes { occurrences subject { kind name } } } }',
  );
  expect(incidents.nodes.map(({ occurrences, subject }: any) => `${subject.name} ${occurrences}`).toSorted()).toEqual([
    'ended 1',
    'lost 1',
    'open 1',
    'web 5',
  ]);
  const intake = new TestIntake(url);
  try {
    const [{ id }] = (await intake.database.rows<{ id: number }>(`SELECT id FROM cluster WHERE name = 'prod'`)) as [{ id: number }];
    expect(await intake.rollups(id)).toEqual(await intake.recount(id));
  } finally {
    await intake.close();
  }
}

/** The next changes of Ingresses after a cursor. */
async function taken(casebook: TestCasebook, cursor: string, count: number): Promise<any[]> {
  const stream = await changesAfter(casebook, cursor);
  const changes = await stream.changes.next(count);
  stream.close();
  return changes;
}

async function lastNumber(url: string): Promise<bigint> {
  const found = await withClient(url, (client) => client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid'));
  return BigInt(found.rows[0]!.xid);
}

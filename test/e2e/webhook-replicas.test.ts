import { afterAll, beforeAll, expect, it } from 'vitest';
import { e4011 } from '../support/core-event.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { createWebhook, synced, WEBHOOK_ENV } from '../support/webhooks.js';

let database: TestDatabase;
let receiver: WebhookReceiver;
const replicas: ServiceProcess[] = [];
const env = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  LOG_LEVEL: 'error',
  CASEBOOK_DATABASE_POOL: '4',
  ...WEBHOOK_ENV,
  // No request here is to be given up, however slow the machine is.
  CASEBOOK_WEBHOOK_TIMEOUT_MS: '60000',
});

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await WebhookReceiver.start();
  replicas.push(...(await Promise.all([ServiceProcess.start(env()), ServiceProcess.start(env())])));
  await fetch(`${replicas[0]!.url}/v1/clusters`, { method: 'POST', body: JSON.stringify({ name: 'prod', provider: 'tke' }) });
}, 60_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await receiver.stop();
  await database.drop();
});

const post = async (replica: ServiceProcess, event: unknown): Promise<void> => {
  const { status } = await fetch(`${replica.url}/v1/clusters/prod/events`, { method: 'POST', body: JSON.stringify(event) });
  expect(status).toBe(200);
};

const through = (replica: ServiceProcess) => ({
  graphql: async (query: string, variables: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${replica.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    return (await answer.json()) as never;
  },
});

const unsent = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhook_delivery WHERE status = 'pending'`,
  );
  return rows[0]!.count;
};

it('two replicas send every message once, in the order of its incident', async () => {
  const [near, far] = replicas as [ServiceProcess, ServiceProcess];
  await createWebhook(through(near), { name: 'both', url: receiver.url('/both'), stormCount: 1000, filter: { namespaces: ['both'] } });
  const names = Array.from({ length: 30 }, (_, i) => `web-${i}`);
  for (const name of names) await post(near, e4011({ name, namespace: 'both' }));
  for (const name of names) await post(far, synced(name, 'both'));
  await waitUntil(
    () => receiver.of('/both').length,
    (count) => count >= 2 * names.length,
  );
  await waitUntil(unsent, (count) => count === 0);
  const received = receiver.of('/both');
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2 * names.length);
  expect(received).toHaveLength(2 * names.length);
  for (const name of names) {
    expect(received.filter(({ json }) => json.incident.subject.name === name).map(({ json }) => json.kind)).toEqual(['OPENED', 'RESOLVED']);
  }
}, 60_000);

it('a message that was sent by a replica that died before it could note that is sent again, with the same key', async () => {
  const [near, far] = replicas as [ServiceProcess, ServiceProcess];
  // Only the one that will die is there to send it.
  await far.stop();
  await createWebhook(through(near), { name: 'killed', url: receiver.url('/killed'), filter: { namespaces: ['killed'] } });
  // The request arrives, and is not answered before its sender is gone.
  receiver.behave('/killed', 'hang', { status: 200 });
  await post(near, e4011({ namespace: 'killed' }));
  await waitUntil(
    () => receiver.of('/killed').length,
    (count) => count === 1,
  );
  await near.kill();
  expect(await unsent()).toBe(1);
  // as if the time for which the dead one had taken it were over
  await database.pool.query('UPDATE webhook_delivery SET next_at = now()');
  replicas.splice(0, 2, await ServiceProcess.start(env()));
  await waitUntil(unsent, (count) => count === 0);
  const [first, second] = receiver.of('/killed');
  expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['x-casebook-attempt']).toBe('2');
  expect(receiver.of('/killed')).toHaveLength(2);
}, 60_000);

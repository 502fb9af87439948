/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { coreEvent } from './core-event.js';
import type { TestCasebook } from './start-casebook.js';
import { waitUntil } from './wait-until.js';

/** Settings of a service that may tell receivers on this machine, and is quick to give up. */
export const WEBHOOK_ENV = {
  CASEBOOK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  CASEBOOK_WEBHOOK_ALLOW: '127.0.0.1',
  CASEBOOK_WEBHOOK_TIMEOUT_MS: '2000',
  CASEBOOK_WEBHOOK_RETRY_MS: '40',
  CASEBOOK_WEBHOOK_ATTEMPTS: '4',
};

/** Creates a webhook and returns its id. */
export async function createWebhook(casebook: Pick<TestCasebook, 'graphql'>, input: object): Promise<string> {
  const { data, errors } = await casebook.graphql('mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }', {
    input: { preset: 'GENERIC', ...input },
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return data['createWebhook'].id as string;
}

/** Messages of a webhook, the newest first. */
export async function deliveriesOf(casebook: Pick<TestCasebook, 'graphql'>, webhook: string, status?: string): Promise<any[]> {
  const { data, errors } = await casebook.graphql(
    `query($webhook: ID, $status: DeliveryStatus) { deliveries(webhook: $webhook, status: $status, first: 100) {
      nodes { id kind status attempts answerCode answer error incidentId webhookName nextAt } } }`,
    { webhook, status },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data['deliveries'].nodes as any[];
}

/** Waits until nothing of a webhook is on its way, after at least `count` messages, and returns them, the newest first. */
export function settled(casebook: Pick<TestCasebook, 'graphql'>, webhook: string, count = 1): Promise<any[]> {
  return waitUntil(
    () => deliveriesOf(casebook, webhook),
    (list) => list.length >= count && list.every(({ status }) => status !== 'PENDING'),
  );
}

/** A success of an Ingress, which ends its incidents. */
export function synced(name: string, namespace: string): Record<string, unknown> {
  const message = 'Service Sync Success. RetrunCode: S2000';
  const said = {
    kind: 'Ingress',
    name,
    namespace,
    reason: 'EnsureServiceSuccess',
    type: 'Normal',
    component: 'loadbalance-controller',
    message,
  };
  return coreEvent({ ...said, at: new Date().toISOString() });
}

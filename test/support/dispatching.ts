import type { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import { Dispatcher } from '../../src/notify/dispatcher.service.js';
import type { Sender } from '../../src/notify/sender.service.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { Silencings } from '../../src/pipeline/silencings.service.js';
import { SystemClock } from '../../src/platform/clock.service.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { Metrics } from '../../src/platform/metrics.service.js';
import { ChangeListener } from '../../src/store/change-listener.service.js';
import { IncidentChangeRepository } from '../../src/store/incident-change.repository.js';
import { OutboxRepository } from '../../src/store/outbox.repository.js';
import { SilencingRepository } from '../../src/store/silencing.repository.js';
import type { WebhookSecrets, WebhookSettings } from '../../src/store/webhook.js';
import { Sealer } from '../../src/store/seal.service.js';
import { WebhookRepository } from '../../src/store/webhook.repository.js';
import { bundledRecogniser } from './story.js';
import type { Told } from './story.js';
import { TestIntake } from './stream.js';
import { createTestDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';
import { waitUntil } from './wait-until.js';

/** A webhook that is told of failures and their ends at once. */
export const SETTINGS: WebhookSettings = {
  name: 'hook',
  preset: 'generic',
  template: null,
  filter: {},
  kinds: ['OPENED', 'REOPENED', 'RESOLVED'],
  locale: 'en',
  holdSeconds: 0,
  flapSeconds: 0,
  stormCount: 100,
  stormSeconds: 60,
  enabled: true,
};
export const SECRETS: WebhookSecrets = { url: 'https://hooks.example.com/', headers: {} };

/** A container that keeps crashing, in a Pod of a Deployment. */
export const crash = (name = 'web'): Told => ({
  name: `${name}-6f9c7d8b5-x2x9z`,
  container: 'app',
  reason: 'BackOff',
  message: 'Back-off restarting failed container app in pod web',
});

/** Where webhooks are told: a database of the test's own, a stream into it, and a dispatcher. */
export async function startDispatching() {
  const database = await createTestDatabase();
  const intake = new TestIntake(database.url);
  const recogniser = await bundledRecogniser();
  const webhooks = new WebhookRepository(intake.database, new Sealer({ current: 'a'.repeat(64) }));
  return { database, intake, recogniser, webhooks, dispatcher: newDispatcher(intake, recogniser) };
}

/** A dispatcher that takes turns when the test says so; nothing is sent. */
export function newDispatcher(intake: TestIntake, recogniser: Recogniser): Dispatcher {
  const knowledge = { current: () => recogniser.knowledge } as KnowledgeService;
  const logger = createLogger('silent', { write: () => undefined });
  return new Dispatcher(
    new OutboxRepository(intake.database),
    knowledge,
    new Silencings(new SilencingRepository(intake.database)),
    new SystemClock(),
    { wake: () => undefined } as unknown as Sender,
    new ChangeListener(intake.database, logger),
    logger,
    new Metrics(),
  );
}

/** Turns all changes so far into messages, as if it were `later` milliseconds from now. Other tests' transactions may hold changes back. */
export async function runOver(intake: TestIntake, dispatcher: Dispatcher, later = 0): Promise<void> {
  const changes = new IncidentChangeRepository(intake.database);
  await waitUntil(
    () => changes.changesAfter({ xid: '0', seq: '0' }, 1),
    ({ waiting }) => !waiting,
  );
  await dispatcher.run(later);
}

/** What was told, in order: the kind of each message, and what it is about. */
export async function toldIn(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.pool.query<{
    kind: string;
    body: { incident: { subject: { name: string } } | null; digest: { total: number } | null };
  }>('SELECT d.kind, d.body::jsonb AS body FROM webhook_delivery d ORDER BY d.seq');
  return rows.map(({ kind, body }) => `${kind} ${body.incident?.subject.name ?? body.digest?.total ?? ''}`.trim());
}

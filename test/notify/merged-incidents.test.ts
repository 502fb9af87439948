import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher } from '../../src/notify/dispatcher.service.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { PartitionRepository } from '../../src/store/partition.repository.js';
import type { Webhook, WebhookSettings } from '../../src/store/webhook.js';
import type { WebhookRepository } from '../../src/store/webhook.repository.js';
import { crash, newDispatcher, runOver, SECRETS, SETTINGS, startDispatching, toldIn } from '../support/dispatching.js';
import { Story } from '../support/story.js';
import type { Told } from '../support/story.js';
import type { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A Pod of which nobody says yet whose it is, and the same when that is known. */
const pod = (name = 'db-0'): Told => ({ ...crash(), name });
const owned = (name = 'db-0'): Told => ({ ...pod(name), owner: { kind: 'StatefulSet', name: 'db' } });

let database: TestDatabase;
let intake: TestIntake;
let story: Story;
let recogniser: Recogniser;
let webhooks: WebhookRepository;
let dispatcher: Dispatcher;

beforeAll(async () => {
  ({ database, intake, recogniser, webhooks, dispatcher } = await startDispatching());
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM webhook');
  story = new Story(intake, recogniser);
  await run();
});

const run = (later = 0, by = dispatcher): Promise<void> => runOver(intake, by, later);
const told = (): Promise<string[]> => toldIn(database);
const create = (settings: Partial<WebhookSettings> = {}): Promise<Webhook> =>
  webhooks.create({ ...SETTINGS, ...settings }, SECRETS, 'https://hooks.example.com', 10);
const change = ({ id }: Webhook, settings: Partial<WebhookSettings>): Promise<unknown> =>
  webhooks.update(id, { ...SETTINGS, ...settings }, SECRETS, 'x');

/** The latest message, as the generic form tells it. */
async function latest() {
  const { rows } = await database.pool.query<{ incident: Record<string, unknown> }>(
    `SELECT d.body::jsonb -> 'incident' AS incident FROM webhook_delivery d ORDER BY d.seq DESC LIMIT 1`,
  );
  return rows[0]!.incident;
}

async function idOf(name: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM incident WHERE cluster_id = $1 AND subject_name = $2', [
    await story.cluster(),
    name,
  ]);
  return rows[0]!.id;
}

describe('the dispatcher, when an incident goes into another one', () => {
  it('tells a failure that is held when it would have been told', async () => {
    await create({ holdSeconds: 600 });
    await story.push('10:00', pod());
    await run();
    await story.push('10:05', owned());
    await run(9 * MINUTE);
    expect(await told()).toEqual([]);
    await run(10.1 * MINUTE);
    expect(await told()).toEqual(['OPENED db']);
  });

  it('does so although the changes of the two are read one batch after the other', async () => {
    await create({ holdSeconds: 600, stormCount: 1000 });
    await story.push('10:00', pod());
    await run();
    // Five hundred new incidents are a batch; that the first one is gone comes after them.
    await story.push('10:05', owned(), ...Array.from({ length: 499 }, (_, i) => crash(`app${i}`)));
    await run(9 * MINUTE);
    await run(10.1 * MINUTE);
    expect(await told()).toEqual(['OPENED db']);
  });

  it('does not make a failure that was told look as if it were over', async () => {
    await create({ holdSeconds: 600 });
    await story.push('10:00', pod());
    await run();
    await run(10.1 * MINUTE);
    await story.push('10:12', owned());
    await run(10.2 * MINUTE);
    await run(10.2 * MINUTE);
    expect(await told()).toEqual(['OPENED db-0', 'RESOLVED db-0', 'OPENED db']);
  });

  it('waits until the other one has outlasted its flap time', async () => {
    await create({ flapSeconds: 300 });
    await story.push('10:00', owned());
    await story.by('12:00');
    await story.push('13:00', pod('db-1'));
    await run();
    await story.push('13:05', owned('db-1'));
    await run();
    await run(4.5 * MINUTE);
    expect(await told()).toEqual(['OPENED db', 'RESOLVED db', 'OPENED db-1', 'RESOLVED db-1']);
    await run(5.5 * MINUTE);
    expect((await told()).slice(4)).toEqual(['REOPENED db']);
  });

  it('tells the end of one that went while the webhook was switched off', async () => {
    const webhook = await create();
    await story.push('10:00', pod());
    await run();
    await change(webhook, { enabled: false });
    await story.push('10:05', owned());
    await run();
    await change(webhook, {});
    await run(0, newDispatcher(intake, recogniser));
    expect(await told()).toEqual(['OPENED db-0', 'RESOLVED db-0']);
    expect(await latest()).toMatchObject({ status: 'resolved', resolvedBy: 'MERGED', mergedInto: await idOf('db') });
    const { rows } = await database.pool.query('SELECT FROM webhook_told');
    expect(rows).toEqual([]);
  });

  it('ends the alert of a storm although nothing is known any more of its failures', async () => {
    const storm = { preset: 'pagerduty', stormCount: 1 } as const;
    const webhook = await create(storm);
    await story.push('10:00', crash());
    await run();
    await story.push('10:01', pod());
    await run();
    await run(1.1 * MINUTE);
    await change(webhook, { ...storm, enabled: false });
    await story.push('10:05', owned());
    await run();
    await database.pool.query('DELETE FROM incident_change WHERE gone IS NOT NULL');
    await change(webhook, storm);
    await run(1.2 * MINUTE, newDispatcher(intake, recogniser));
    const { rows } = await database.pool.query<{ kind: string }>('SELECT d.kind FROM webhook_delivery d ORDER BY d.seq');
    expect(rows.map(({ kind }) => kind)).toEqual(['OPENED', 'DIGEST', 'STORM_ENDED']);
  });

  it('tells its end also when the webhook was off for longer than changes are kept', async () => {
    const webhook = await create();
    await story.push('10:00', pod());
    await run();
    await change(webhook, { enabled: false });
    await story.push('10:05', owned());
    const into = await idOf('db');
    const partitions = new PartitionRepository(intake.database);
    for (const days of [10, 20]) await partitions.maintain(90, new Date(Date.now() + days * DAY), 7);
    await change(webhook, {});
    await dispatcher.run();
    expect(await told()).toEqual(['OPENED db-0', 'RESOLVED db-0']);
    expect(await latest()).toMatchObject({ resolvedBy: 'MERGED', mergedInto: into });
    // Once that is told, nothing is kept for it.
    await partitions.maintain(90, new Date(Date.now() + 30 * DAY), 7);
    const { rows } = await database.pool.query('SELECT FROM incident_change WHERE gone IS NOT NULL');
    expect(rows).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher } from '../../src/notify/dispatcher.service.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { OutboxRepository } from '../../src/store/outbox.repository.js';
import type { WebhookSettings } from '../../src/store/webhook.js';
import type { WebhookRepository } from '../../src/store/webhook.repository.js';
import { crash, newDispatcher as dispatcherOf, runOver, SECRETS, SETTINGS, startDispatching, toldIn } from '../support/dispatching.js';
import { Story } from '../support/story.js';
import type { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const MINUTE = 60_000;

let database: TestDatabase;
let intake: TestIntake;
let story: Story;
let recogniser: Recogniser;
let webhooks: WebhookRepository;
let dispatcher: Dispatcher;

const newDispatcher = (): Dispatcher => dispatcherOf(intake, recogniser);

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

const create = (settings: Partial<WebhookSettings> = {}) =>
  webhooks.create({ ...SETTINGS, ...settings }, SECRETS, 'https://hooks.example.com', 10);

const run = (later = 0, by = dispatcher): Promise<void> => runOver(intake, by, later);
const told = (): Promise<string[]> => toldIn(database);

/** The messages so far, as PagerDuty gets them. */
async function bodies() {
  const { rows } = await database.pool.query<{ kind: string; body: { event_action: string; dedup_key: string } }>(
    'SELECT d.kind, d.body::jsonb AS body FROM webhook_delivery d ORDER BY d.seq',
  );
  return rows;
}

describe('the dispatcher', () => {
  it('tells the failure and its end, once, however often it runs', async () => {
    await create();
    await story.push('10:00', crash());
    await run();
    await run();
    await story.by('12:00');
    await run();
    expect(await told()).toEqual(['OPENED web', 'RESOLVED web']);
  });

  it('tells nothing of what happened before a webhook was created or enabled', async () => {
    await story.push('10:00', crash());
    const { id } = await create();
    await story.by('12:00');
    await run();
    expect(await told()).toEqual([]);
    await webhooks.update(id, { ...SETTINGS, enabled: false }, SECRETS, 'x');
    await story.push('13:00', crash());
    await run();
    expect(await told()).toEqual([]);
  });

  it('tells, when a webhook is enabled again, the end of what it was told had failed', async () => {
    const { id } = await create();
    await story.push('10:00', crash());
    await run();
    await webhooks.update(id, { ...SETTINGS, enabled: false }, SECRETS, 'x');
    await story.by('12:00');
    await run();
    expect(await told()).toEqual(['OPENED web']);
    await webhooks.update(id, SETTINGS, SECRETS, 'x');
    const enabled = newDispatcher();
    enabled.lookForEnded();
    await waitUntil(told, (list) => list.length === 2);
    await enabled.onModuleDestroy();
    expect(await told()).toEqual(['OPENED web', 'RESOLVED web']);
  });

  it('tells a failure that has lasted for the hold time, and never one that has not', async () => {
    await create({ holdSeconds: 60 });
    await story.push('10:00', crash('short'));
    await run();
    await story.by('12:00');
    await run(2 * MINUTE);
    await story.push('13:00', crash('long'));
    await run();
    await run(0.9 * MINUTE);
    expect(await told()).toEqual([]);
    await run(1.1 * MINUTE);
    expect(await told()).toEqual(['OPENED long']);
    await story.by('15:00');
    await run(2 * MINUTE);
    expect(await told()).toEqual(['OPENED long', 'RESOLVED long']);
  });

  it('folds a failure that keeps coming back, until it lasts', async () => {
    await create({ flapSeconds: 300 });
    for (const hour of ['10', '12', '14']) {
      await story.push(`${hour}:00`, crash());
      await run();
      await story.by(`${Number(hour) + 1}:30`);
      await run();
    }
    await story.push('16:00', crash());
    await run();
    expect(await told()).toEqual(['OPENED web', 'RESOLVED web']);
    await run(6 * MINUTE);
    expect(await told()).toEqual(['OPENED web', 'RESOLVED web', 'REOPENED web']);
  });

  it('tells nothing of what was held when the filter leaves it out by then', async () => {
    const { id } = await create({ holdSeconds: 60 });
    await story.push('10:00', crash('kept'), { ...crash('left'), namespace: 'other' });
    await run();
    const changed = { ...SETTINGS, holdSeconds: 60, filter: { namespaces: ['shop'] } };
    await webhooks.update(id, changed, SECRETS, 'x');
    await run(1.1 * MINUTE);
    expect(await told()).toEqual(['OPENED kept']);
  });

  it('makes one message of a storm, with counts, and tells recoveries after it to those who were told', async () => {
    await create({ stormCount: 3, stormSeconds: 60 });
    await story.push('10:00', ...Array.from({ length: 10 }, (_, i) => crash(`app${i}`)));
    await run();
    expect(await told()).toHaveLength(3);
    await run(0.9 * MINUTE);
    expect(await told()).toHaveLength(3);
    await run(1.1 * MINUTE);
    expect((await told()).slice(3)).toEqual(['DIGEST 7']);
    const { rows } = await database.pool.query<{ body: { digest: unknown; text: string } }>(
      `SELECT d.body::jsonb AS body FROM webhook_delivery d WHERE d.kind = 'DIGEST'`,
    );
    expect(rows[0]!.body).toMatchObject({
      text: 'Many changes: 7',
      digest: {
        total: 7,
        more: 0,
        counts: [{ kind: 'OPENED', count: 7, problem: 'kubernetes/container/crash-loop', cluster: expect.stringMatching(/^story-/) }],
      },
    });
    // it still storms: the recoveries are gathered too
    await story.by('12:00');
    await run(1.2 * MINUTE);
    await run(2.3 * MINUTE);
    expect((await told()).slice(4)).toEqual(['DIGEST 10']);
    await run(3.5 * MINUTE);
    await story.push('13:00', crash('calm'));
    await run(3.6 * MINUTE);
    expect((await told()).slice(5)).toEqual(['OPENED calm']);
  });

  it('has an alert of a storm ended at PagerDuty when all its failures have', async () => {
    await create({ preset: 'pagerduty', stormCount: 1, stormSeconds: 60 });
    await story.push('10:00', crash('a'), crash('b'), crash('c'));
    await run();
    await run(1.1 * MINUTE);
    await story.by('12:00');
    await run(1.2 * MINUTE);
    const { rows } = await database.pool.query<{ kind: string; body: { event_action: string; dedup_key: string } }>(
      'SELECT d.kind, d.body::jsonb AS body FROM webhook_delivery d ORDER BY d.seq',
    );
    const [digest] = rows.filter(({ kind }) => kind === 'DIGEST');
    const [ended] = rows.filter(({ kind }) => kind === 'STORM_ENDED');
    expect(digest!.body).toMatchObject({ event_action: 'trigger', dedup_key: expect.stringMatching(/^casebook\/storm\//) });
    expect(ended!.body).toEqual({ event_action: 'resolve', dedup_key: digest!.body.dedup_key });
  });

  it('resolves at PagerDuty what was told before a storm one by one, and pages nobody for recoveries', async () => {
    await create({ preset: 'pagerduty', stormCount: 1, stormSeconds: 60 });
    await story.push('10:00', crash('a'), crash('b'), crash('c'));
    await run();
    // the storm goes on while they end
    await story.by('12:00');
    await run(0.5 * MINUTE);
    await run(1.1 * MINUTE);
    await run(2.2 * MINUTE);
    await run(3.3 * MINUTE);
    const open = new Set<string>();
    for (const { body } of await bodies()) {
      if (body.event_action === 'trigger') open.add(body.dedup_key);
      else expect(open.delete(body.dedup_key)).toBe(true);
    }
    expect([...open]).toEqual([]);
    expect((await bodies()).filter(({ body }) => body.event_action === 'trigger')).toHaveLength(2);
  });

  it('ends the alert of a storm that outlasts the days that messages are kept', async () => {
    await create({ preset: 'pagerduty', stormCount: 1, stormSeconds: 60 });
    await story.push('10:00', crash('a'), crash('b'), crash('c'));
    await run();
    await run(1.1 * MINUTE);
    await database.pool.query(`UPDATE webhook_delivery SET status = 'delivered', done_at = now() - interval '30 days'`);
    await webhooks.dropOld(7);
    await story.by('12:00');
    await run(1.2 * MINUTE);
    expect((await bodies()).filter(({ body }) => body.dedup_key.startsWith('casebook/storm/')).map(({ kind }) => kind)).toEqual([
      'DIGEST',
      'STORM_ENDED',
    ]);
  });

  it('forgets failures that are held, however many, when they have ended while their webhook was switched off', async () => {
    const { id } = await create({ holdSeconds: 3600 });
    await story.push('10:00', ...Array.from({ length: 520 }, (_, i) => crash(`app${i}`)));
    await run();
    await webhooks.update(id, { ...SETTINGS, holdSeconds: 3600, enabled: false }, SECRETS, 'x');
    await story.by('12:00');
    await run();
    await webhooks.update(id, { ...SETTINGS, holdSeconds: 3600 }, SECRETS, 'x');
    await run(0, newDispatcher());
    const { rows } = await database.pool.query('SELECT FROM webhook_told');
    expect(rows).toEqual([]);
  });

  it('ends an alert under the labels that it began with, although the kind of its workload became known since', async () => {
    await create({ preset: 'alertmanager' });
    const pod = { ...crash(), name: 'agent-x2x9z' };
    await story.push('10:00', pod);
    await run();
    await story.push('10:05', { ...pod, owner: { kind: 'DaemonSet', name: 'agent' } });
    await story.by('14:00');
    await run();
    const { rows } = await database.pool.query<{ kind: string; body: { labels: object; annotations: object; endsAt: string }[] }>(
      'SELECT d.kind, d.body::jsonb AS body FROM webhook_delivery d ORDER BY d.seq',
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['OPENED', 'RESOLVED']);
    const [opened, resolved] = rows.map(({ body }) => body[0]!);
    expect([opened!.annotations, resolved!.annotations]).toMatchObject([{ kind: 'Workload' }, { kind: 'DaemonSet' }]);
    expect(resolved!.labels).toEqual(opened!.labels);
  });

  it('tells that an incident has gone into another one, when its objects turn out to be those of a workload', async () => {
    await create({ preset: 'alertmanager' });
    const db = { ...crash(), name: 'db-0' };
    await story.push('10:00', db);
    await run();
    await story.push('10:05', { ...db, owner: { kind: 'StatefulSet', name: 'db' } });
    await run();
    const { rows } = await database.pool.query<{ kind: string; incident_id: string; body: { labels: object; endsAt: string }[] }>(
      'SELECT d.kind, d.incident_id, d.body::jsonb AS body FROM webhook_delivery d ORDER BY d.seq',
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['OPENED', 'OPENED', 'RESOLVED']);
    const [pod, set, gone] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
    expect(gone.incident_id).toBe(pod.incident_id);
    expect(set.incident_id).not.toBe(pod.incident_id);
    expect(gone.body[0]!.labels).toEqual(pod.body[0]!.labels);
    expect(Date.parse(gone.body[0]!.endsAt)).toBeLessThanOrEqual(Date.now());
    await story.by('14:00');
    await run();
    expect((await told()).length).toBe(4);
  });

  it('tells recoveries to whoever was told of the failure, and only to them', async () => {
    const early = await create({ name: 'early' });
    await story.push('10:00', crash());
    await run();
    await create({ name: 'late' });
    // neither a filter nor a silence that came since keeps the recovery from the one who was told
    await webhooks.update(early.id, { ...SETTINGS, name: 'early', filter: { clusters: ['elsewhere'] } }, SECRETS, 'x');
    await silence();
    await story.by('12:00');
    await run();
    const list = await webhooks.deliveries({ limit: 10 });
    expect(list.map(({ webhookName, kind }) => `${webhookName} ${kind}`)).toEqual(['early RESOLVED', 'early OPENED']);
    await endSilences();
  });

  it('tells nothing of what is silenced, unless it outlasts its silence', async () => {
    await create();
    await silence();
    await story.push('10:00', crash('quiet'), crash('lasting'));
    await run();
    await run(2 * MINUTE);
    expect(await told()).toEqual([]);
    await endSilences();
    await run(2 * MINUTE);
    await run(4 * MINUTE);
    expect((await told()).sort()).toEqual(['OPENED lasting', 'OPENED quiet']);
  });

  it('leaves a turn to one replica, and another goes on where one was lost', async () => {
    await create();
    await story.push('10:00', ...Array.from({ length: 20 }, (_, i) => crash(`app${i}`)));
    const others = [newDispatcher(), newDispatcher(), newDispatcher()];
    await Promise.all([run(), ...others.map((other) => run(0, other))]);
    await run();
    expect(new Set(await told()).size).toBe(20);
    expect(await told()).toHaveLength(20);
    // a turn whose connection dies has written nothing and holds nothing
    await story.push('10:01', crash('after'));
    const dying = new OutboxRepository(intake.database).turn(async (turn) => {
      await turn.move(await turn.latestPosition());
      await intake.database.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      return turn.now();
    });
    await expect(dying).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    await run();
    expect((await told()).slice(20)).toEqual(['OPENED after']);
  });
});

async function silence(): Promise<void> {
  await database.pool.query(
    `INSERT INTO silencing (kind, clusters, namespaces, starts_at, ends_at, reason, created_by, created_at)
     VALUES ('silence', '{}', '{shop}', now() - interval '1 minute', now() + interval '1 day', 'test', 'test', now())`,
  );
}

async function endSilences(): Promise<void> {
  await database.pool.query('DELETE FROM silencing');
}

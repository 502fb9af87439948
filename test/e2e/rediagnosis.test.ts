import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import { IncidentWork } from '../../src/pipeline/incident-work.service.js';
import { RecogniserService } from '../../src/pipeline/recogniser.service.js';
import { RediagnosisService } from '../../src/pipeline/rediagnosis.service.js';
import { ADVISORY_LOCKS } from '../../src/store/advisory-locks.js';
import { IntakeRepository } from '../../src/store/intake.repository.js';
import { RediagnosisRepository } from '../../src/store/rediagnosis.repository.js';
import { StoredEventRepository } from '../../src/store/stored-event.repository.js';
import type { DescribedEvent } from '../support/core-event.js';
import { coreEvent } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';
import { TestIntake } from '../support/stream.js';
import { waitUntil } from '../support/wait-until.js';

let casebook: TestCasebook;
let overlay: string;

beforeAll(async () => {
  overlay = await mkdtemp(join(tmpdir(), 'casebook-overlay-'));
  await write('_area', 'title: { en: Widgets, zh: 部件 }\nobjectKinds: [Widget]\nclears: { by: object-gone }\n');
  await write('stuck', problemFile('is stuck'));
  await write('worn', problemFile('is worn'));
  casebook = await startTestCasebook({ CASEBOOK_KNOWLEDGE_DIR: overlay });
  await casebook.register('north', 'kubernetes');
  await casebook.post('north', [
    widget({ name: 'lamp', message: 'the lamp is stuck', count: 3 }),
    widget({ name: 'belt', message: 'the belt is worn' }),
    widget({ uid: 'a-roof', name: 'roof', message: 'the roof leaks', count: 4, at: '2026-11-20T10:00:00Z' }),
    widget({ uid: 'b-well', name: 'well', message: 'the well leaks', at: '2026-11-20T10:00:00Z' }),
    widget({ uid: 'c-well', name: 'well', message: 'well mended', type: 'Normal', reason: 'Mended', at: '2026-11-20T11:00:00Z' }),
  ]);
  await settled();
});
afterAll(async () => {
  await casebook.stop();
  await rm(overlay, { recursive: true, force: true });
});

const widget = (said: DescribedEvent): Record<string, unknown> =>
  coreEvent({ kind: 'Widget', reason: 'Odd', component: 'widgets', ...said });

function problemFile(message: string, clears = '{ by: object-gone }'): string {
  return `title: { en: Stuck, zh: 卡住 }
summary: { en: It is stuck., zh: 卡住了。 }
severity: error
consequence: { en: It stays so., zh: 一直如此。 }
clears: ${clears}
recognise: [{ message: '${message}' }]
causes: [{ text: { en: Rust., zh: 锈。 }, checks: [{ look: { en: Look., zh: 看。 } }], remedies: [{ en: Oil it., zh: 上油。 }] }]
`;
}

async function write(name: string, text: string): Promise<void> {
  const file = join(overlay, 'kubernetes', 'widget', `${name}.yaml`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Publishes the files as they are, and waits until everything stored is diagnosed again. */
async function publish(): Promise<void> {
  expect(await casebook.app.get(KnowledgeService).reload()).toMatchObject({ ok: true });
  await settled();
}

async function settled(): Promise<void> {
  const { version } = casebook.app.get(KnowledgeService).current();
  await waitUntil(
    async () => {
      await casebook.app.get(RediagnosisService).run();
      const state = await casebook.app.get(RediagnosisRepository).state();
      return state?.version === version && state.phase === 'done';
    },
    (done) => done,
  );
}

async function incidents(): Promise<string[]> {
  const { data, errors } = await casebook.graphql(
    '{ incidents(first: 50) { nodes { problem { id } subject { name } status resolvedBy occurrences events { nodes { message } } } } }',
  );
  expect(errors).toBeUndefined();
  return data['incidents'].nodes
    .map(
      (one: {
        problem: { id: string } | null;
        subject: { name: string };
        status: string;
        resolvedBy: string | null;
        occurrences: number;
        events: { nodes: unknown[] };
      }) =>
        [
          one.problem?.id.split('/')[2] ?? '-',
          one.subject.name,
          one.status,
          one.resolvedBy ?? '-',
          one.occurrences,
          one.events.nodes.length,
        ].join(' '),
    )
    .sort();
}

describe('diagnosing again after knowledge has changed', () => {
  it('opens incidents of stored Events that show a problem now, ends them by what was told since, and takes them off the work list', async () => {
    expect(await incidents()).toEqual(['stuck lamp OPEN - 3 1', 'worn belt OPEN - 1 1']);
    const [{ sum: before }] = await counted();
    expect(before).toBe(5);
    await write('leak', problemFile('the {thing} leaks', '{ by: success-event, on: [Mended] }'));
    await publish();
    expect(await incidents()).toEqual([
      'leak roof OPEN - 4 1',
      'leak well RESOLVED SUCCESS_EVENT 1 1',
      'stuck lamp OPEN - 3 1',
      'worn belt OPEN - 1 1',
    ]);
    expect(await counted()).toEqual([{ sum: 0 }]);
  });

  it('ends what has no ground any more, with the reason on record, and opens what it is now', async () => {
    await rm(join(overlay, 'kubernetes', 'widget', 'stuck.yaml'));
    await write('lamp', problemFile('the lamp is stuck'));
    await write('worn', problemFile('is worn out'));
    await publish();
    expect(await incidents()).toEqual(
      [
        'lamp lamp OPEN - 3 1',
        'leak roof OPEN - 4 1',
        'leak well RESOLVED SUCCESS_EVENT 1 1',
        'worn belt RESOLVED MANUAL 1 1',
        '- lamp RESOLVED MANUAL 0 0',
      ].sort(),
    );
    const { rows } = await casebook.database.pool.query<{ by: string; note: string }>(
      `SELECT a.by, a.note FROM incident_audit a ORDER BY a.note`,
    );
    expect(rows.map(({ note }) => note)).toEqual([
      'By the knowledge base of now, none of its events shows kubernetes/widget/worn: they show no problem.',
      'The knowledge base has no problem kubernetes/widget/stuck any more.',
    ]);
    const clusterId = (await casebook.database.pool.query<{ id: number }>('SELECT id FROM cluster')).rows[0]!.id;
    const intake = new TestIntake(casebook.database.url);
    try {
      expect(await intake.rollups(clusterId)).toEqual(await intake.recount(clusterId));
    } finally {
      await intake.close();
    }
    const [state] = (await casebook.database.pool.query('SELECT ended, finished_at IS NOT NULL AS finished FROM rediagnosis')).rows;
    expect(state).toEqual({ ended: 2, finished: true });
  });

  it('changes nothing when it is done again from the start', async () => {
    const before = await incidents();
    await casebook.database.pool.query(`UPDATE rediagnosis SET version = 'another', phase = 'done'`);
    await write('other', problemFile('no message at all'));
    await publish();
    expect(await incidents()).toEqual(before);
  });

  it('goes on where it was stopped', async () => {
    await casebook.post('north', [
      widget({ uid: 'd-1', name: 'one', message: 'one squeaks' }),
      widget({ uid: 'd-2', name: 'two', message: 'two squeaks' }),
    ]);
    await write('squeak', problemFile('{thing} squeaks'));
    const knowledge = casebook.app.get(KnowledgeService);
    await knowledge.reload();
    // As another replica left it with this very knowledge: it had looked at the first of the two.
    const { rows } = await casebook.database.pool.query(
      `SELECT cluster_id, to_char(day, 'YYYY-MM-DD') AS day FROM event WHERE uid = 'd-1'`,
    );
    const after = { clusterId: rows[0].cluster_id as number, uid: 'd-1', day: rows[0].day as string };
    const { version } = knowledge.current();
    await casebook.app
      .get(RediagnosisRepository)
      .note({ version, phase: 'events', after, afterIncident: null, events: 7, incidents: 0, ended: 0 });
    await settled();
    expect((await incidents()).filter((line) => line.startsWith('squeak'))).toEqual(['squeak two OPEN - 1 1']);
  });
});

describe('an incident all of whose Events show another problem now', () => {
  const of = async (...names: string[]): Promise<string[]> =>
    (await incidents()).filter((line) => names.some((name) => line.split(' ')[1] === name));

  it('ends, although its problem is still known', async () => {
    await casebook.post('north', [widget({ uid: 'e-1', name: 'hinge', message: 'the hinge is bent', count: 3 })]);
    await write('bent', problemFile('the {thing} is bent'));
    await publish();
    expect(await of('hinge')).toEqual(['bent hinge OPEN - 3 1']);
    await write('hinge', problemFile('the hinge is bent'));
    await publish();
    expect(await of('hinge')).toEqual(['bent hinge RESOLVED MANUAL 0 0', 'hinge hinge OPEN - 3 1']);
  });

  it('ends as well when its Event has grown between the publishing and the look at it', async () => {
    await casebook.post('north', [
      widget({ uid: 'f-1', name: 'spring', message: 'the spring is bent', count: 3, at: '2026-11-20T11:00:00Z' }),
    ]);
    await write('spring', problemFile('the spring is bent'));
    const looking = await casebook.database.pool.connect();
    try {
      // Nobody looks at anything while this is held.
      await looking.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.rediagnosis]);
      await casebook.app.get(KnowledgeService).reload();
      await casebook.post('north', [
        widget({ uid: 'f-1', name: 'spring', message: 'the spring is bent', count: 5, at: '2026-11-20T12:00:00Z' }),
      ]);
    } finally {
      await looking.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.rediagnosis]);
      looking.release();
    }
    await settled();
    expect(await of('spring')).toEqual(['bent spring RESOLVED MANUAL 3 0', 'spring spring OPEN - 2 1']);
  });

  it('loses no occurrence when its Event grows between being read and being applied', async () => {
    const axle = (count: number, at: string): Record<string, unknown> =>
      widget({ uid: 'g-1', name: 'axle', message: 'the axle is bent', count, at });
    const { app } = casebook;
    // From here on only the job below works.
    app.get(RediagnosisService).beforeApplicationShutdown();
    await casebook.post('north', [axle(3, '2026-11-20T11:00:00Z')]);
    await write('axle', problemFile('the axle is bent'));
    await app.get(KnowledgeService).reload();
    const stored = app.get(StoredEventRepository);
    const job = new RediagnosisService(
      app.get(IntakeRepository),
      app.get(RecogniserService),
      {
        page: async (...asked: Parameters<StoredEventRepository['page']>) => {
          const page = await stored.page(...asked);
          await casebook.post('north', [axle(5, '2026-11-20T12:00:00Z')]);
          return page;
        },
      } as StoredEventRepository,
      app.get(RediagnosisRepository),
      app.get(IncidentWork),
    );
    await waitUntil(
      async () => {
        await job.run();
        return app.get(RediagnosisRepository).state();
      },
      (state) => state?.version === app.get(KnowledgeService).current().version && state.phase === 'done',
    );
    const occurrences = (await of('axle')).map((line) => Number(line.split(' ')[4]));
    expect(occurrences.reduce((sum, count) => sum + count, 0)).toBe(5);
  });
});

async function counted(): Promise<[{ sum: number }]> {
  const { rows } = await casebook.database.pool.query<{ sum: number }>('SELECT sum(occurrences)::integer AS sum FROM undiagnosed_cell');
  return rows as [{ sum: number }];
}

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import { RecogniserService } from '../../src/pipeline/recogniser.service.js';
import { ReplayService } from '../../src/pipeline/replay.service.js';
import { Clock } from '../../src/platform/clock.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import { StoredEventRepository } from '../../src/store/stored-event.repository.js';
import type { DescribedEvent } from '../support/core-event.js';
import { coreEvent } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

const AREA = 'title: { en: Widgets, zh: 部件 }\nobjectKinds: [Widget]\nclears: { by: object-gone }\n';

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

let casebook: TestCasebook;
let overlay: string;

beforeAll(async () => {
  overlay = await mkdtemp(join(tmpdir(), 'casebook-overlay-'));
  await write(overlay, 'kubernetes/widget/_area.yaml', AREA);
  await write(overlay, 'kubernetes/widget/stuck.yaml', problemFile('is stuck'));
  await write(overlay, 'kubernetes/widget/broken.yaml', problemFile('is broken', '{ by: success-event, on: [Mended] }'));
  casebook = await startTestCasebook({ CASEBOOK_KNOWLEDGE_DIR: overlay });
  for (const name of ['north', 'south']) await casebook.register(name, 'kubernetes');
  await casebook.post('north', [
    widget({ name: 'lamp', message: 'the lamp is stuck' }),
    widget({ name: 'door', message: 'the door is stuck' }),
    widget({ name: 'gate', message: 'the gate is broken', at: '2026-11-20T10:00:00Z' }),
    widget({ name: 'gate', reason: 'Oiled', type: 'Normal', message: 'oil', at: '2026-11-20T11:00:00Z' }),
    widget({ name: 'roof', message: 'the roof leaks' }),
  ]);
  await casebook.post('south', [widget({ name: 'roof', message: 'the roof leaks' }), widget({ name: 'well', message: 'the well leaks' })]);
});
afterAll(async () => {
  await casebook.stop();
  await rm(overlay, { recursive: true, force: true });
});

const widget = (said: DescribedEvent): Record<string, unknown> =>
  coreEvent({ kind: 'Widget', reason: 'Odd', component: 'widgets', ...said });

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const REPLAY = `query ($knowledge: [KnowledgeFileInput!]!, $clusters: [String!], $from: DateTime, $to: DateTime) {
  replay(knowledge: $knowledge, clusters: $clusters, from: $from, to: $to) {
    events complete problemsAdded problemsRemoved
    changes { effect problem becomes incidents open events clusters { cluster incidents } samples { cluster kind namespace name message } }
  }
}`;

/* oxlint-disable-next-line typescript/no-explicit-any -- answers have whatever shape the test expects */
async function replay(knowledge: { path: string; text?: string | null }[], more: object = {}): Promise<any> {
  const { data, errors } = await casebook.graphql(REPLAY, { knowledge, ...more });
  expect(errors).toBeUndefined();
  return data['replay'];
}

describe('replay', () => {
  it('tells that nothing would change when nothing is edited', async () => {
    const same = await replay([{ path: 'kubernetes/widget/stuck.yaml', text: problemFile('is stuck') }]);
    expect(same).toEqual({ events: 7, complete: true, problemsAdded: [], problemsRemoved: [], changes: [] });
  });

  it('tells what would open, in which clusters, and writes nothing', async () => {
    const before = await state();
    const { problemsAdded, changes } = await replay([{ path: 'kubernetes/widget/leak.yaml', text: problemFile('the {thing} leaks') }]);
    expect(problemsAdded).toEqual(['kubernetes/widget/leak']);
    expect(changes).toEqual([
      {
        effect: 'OPENS',
        problem: null,
        becomes: 'kubernetes/widget/leak',
        incidents: 3,
        open: 3,
        events: 3,
        clusters: [
          { cluster: 'south', incidents: 2 },
          { cluster: 'north', incidents: 1 },
        ],
        samples: expect.arrayContaining([{ cluster: 'south', kind: 'Widget', namespace: 'shop', name: 'well', message: 'the well leaks' }]),
      },
    ]);
    expect(await state()).toEqual(before);
  });

  it('tells what would change its problem, lose its diagnosis, or close', async () => {
    const { changes, problemsRemoved } = await replay([
      { path: 'kubernetes/widget/stuck.yaml', text: null },
      { path: 'kubernetes/widget/lamp.yaml', text: problemFile('the lamp is stuck') },
      { path: 'kubernetes/widget/broken.yaml', text: problemFile('is broken', '{ by: success-event, on: [Oiled] }') },
    ]);
    expect(problemsRemoved).toEqual(['kubernetes/widget/stuck']);
    const told = changes.map(
      ({ effect, problem, becomes, incidents, samples }: Record<string, unknown> & { samples: { name: string }[] }) => [
        effect,
        problem,
        becomes,
        incidents,
        samples.map(({ name }) => name),
      ],
    );
    expect(told).toEqual([
      ['CHANGES', 'kubernetes/widget/stuck', 'kubernetes/widget/lamp', 1, ['lamp']],
      ['CLOSES', 'kubernetes/widget/broken', 'kubernetes/widget/broken', 1, ['gate']],
      ['LOSES', 'kubernetes/widget/stuck', null, 1, ['door']],
    ]);
  });

  it('keeps to clusters and to the range', async () => {
    const knowledge = [{ path: 'kubernetes/widget/leak.yaml', text: problemFile('the {thing} leaks') }];
    expect(await replay(knowledge, { clusters: ['north'] })).toMatchObject({ events: 5, changes: [{ incidents: 1 }] });
    expect(await replay(knowledge, { to: new Date(Date.now() - 3_600_000).toISOString() })).toMatchObject({ events: 0, changes: [] });
  });

  it('refuses knowledge with mistakes, wrong paths and wrong ranges, and says what is wrong', async () => {
    const refused = async (knowledge: object[], more: object = {}): Promise<string> => {
      const { errors } = await casebook.graphql(REPLAY, { knowledge, ...more });
      expect(errors?.[0]?.extensions.code).toBe('BAD_INPUT');
      return errors![0]!.message;
    };
    expect(await refused([{ path: 'kubernetes/widget/bad.yaml', text: 'title: 3' }])).toContain('kubernetes/widget/bad.yaml:1: title');
    expect(await refused([{ path: '../secrets.yaml', text: '' }])).toContain('"../secrets.yaml" is no path of a knowledge file');
    expect(await refused([], { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' })).toBe(
      'from and to are more than 31 days apart.',
    );
    expect(await refused([], { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' })).toBe('from has to lie before to.');
  });

  it.each([
    ['events', { events: 3 }, 3],
    ['text', { text: 40 }, 4],
    ['time', { time: 0 }, 2],
  ])('says when more is stored than it may look at: %s', async (_, less, events) => {
    const { app } = casebook;
    const limits = { page: 2, events: 100, text: 10_000, time: 60_000, ...less };
    const service = new ReplayService(
      app.get(KnowledgeService),
      app.get(RecogniserService),
      app.get(StoredEventRepository),
      app.get(Clock),
      limits,
    );
    const replayed = await service.run(new Map(), { from: 0, to: Date.now() + 60_000 }, EVERYTHING);
    expect(replayed).toMatchObject({ events, complete: false, changes: [] });
  });

  it('runs from the command line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-edited-'));
    try {
      await write(folder, 'kubernetes/widget/leak.yaml', problemFile('the {thing} leaks'));
      const { code, out } = await run(['--knowledge', folder, '--url', casebook.url, '--cluster', 'south']);
      expect(out).toContain('opens    kubernetes/widget/leak: 2 incidents (2 open), 2 events\n           south 2\n');
      expect(out).toContain('south: Widget shop/well: the well leaks');
      expect(code).toBe(0);
      expect(await run(['--url', casebook.url])).toMatchObject({ code: 2, out: expect.stringContaining('expected --knowledge') });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function state(): Promise<unknown> {
  const { rows } = await casebook.database.pool.query('SELECT id, problem_id, status, occurrences, version FROM incident ORDER BY id');
  return rows;
}

function run(args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/commands/knowledge-replay.command.ts', ...args], { stdio: 'pipe' });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data.toString()));
    child.on('close', (code) => done({ code, out }));
  });
}

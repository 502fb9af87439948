import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectKnowledge } from '../../src/knowledge/knowledge.loader.js';
import { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import { checkKnowledge } from '../../src/matching/check-knowledge.js';
import type { DescribedEvent } from '../support/core-event.js';
import { coreEvent, crash } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

const KNOWLEDGE = 'test/support/knowledge';

let casebook: TestCasebook;
let overlay: string;

beforeAll(async () => {
  overlay = await mkdtemp(join(tmpdir(), 'casebook-overlay-'));
  casebook = await startTestCasebook({ CASEBOOK_KNOWLEDGE_DIR: overlay }, KNOWLEDGE);
  for (const name of ['north', 'south']) await casebook.register(name, 'kubernetes');
});
afterAll(async () => {
  await casebook.stop();
  await rm(overlay, { recursive: true, force: true });
});

const widget = (said: DescribedEvent): Record<string, unknown> =>
  coreEvent({ kind: 'Widget', name: 'lamp', reason: 'Stuck', component: 'widget-controller', ...said });

const FIELDS = `id template kind reporter reason overflow occurrences events firstSeenAt lastSeenAt namespaces skeleton cursor
  clusters { cluster occurrences events firstSeenAt lastSeenAt } samples { cluster namespace name container type message at }`;

/* oxlint-disable-next-line typescript/no-explicit-any -- answers have whatever shape the test expects */
async function undiagnosed(args = ''): Promise<any[]> {
  const { data, errors } = await casebook.graphql(`{ undiagnosed${args} { ${FIELDS} } }`);
  expect(errors).toBeUndefined();
  return data['undiagnosed'];
}

describe('undiagnosed', () => {
  it('groups what no problem explains over clusters, and counts repeats once', async () => {
    const first = widget({
      uid: 'n1',
      namespace: 'shop',
      message: 'widget lamp is stuck at step 3 of 9',
      count: 4,
      at: '2026-11-20T10:00:00Z',
      firstAt: '2026-11-20T09:00:00Z',
    });
    expect((await casebook.post('north', [first, crash()])).body).toMatchObject({ accepted: 2 });
    expect((await casebook.post('north', [first])).body).toMatchObject({ merged: 1 });
    await casebook.post('south', [
      widget({ uid: 's1', namespace: 'bank', name: 'door', message: 'widget door is stuck at step 11 of 12', at: '2026-11-21T10:00:00Z' }),
      widget({ uid: 's2', reason: 'Rare', message: 'something "else"', at: '2026-11-21T10:00:00Z' }),
      widget({ uid: 's3', type: 'Normal', reason: 'Created', message: 'widget made' }),
    ]);

    const patterns = await undiagnosed();
    expect(patterns.map(({ template }) => template)).toEqual(['widget {name} is stuck at step {number} of {number}', 'something "{text}"']);
    expect(patterns[0]).toMatchObject({
      kind: 'Widget',
      reporter: 'widget-controller',
      reason: 'Stuck',
      overflow: false,
      occurrences: 5,
      events: 2,
      firstSeenAt: '2026-11-20T09:00:00.000Z',
      lastSeenAt: '2026-11-21T10:00:00.000Z',
      namespaces: ['bank', 'shop'],
      clusters: [
        { cluster: 'north', occurrences: 4, events: 1, firstSeenAt: '2026-11-20T09:00:00.000Z', lastSeenAt: '2026-11-20T10:00:00.000Z' },
        { cluster: 'south', occurrences: 1, events: 1, firstSeenAt: '2026-11-21T10:00:00.000Z', lastSeenAt: '2026-11-21T10:00:00.000Z' },
      ],
      samples: [
        { cluster: 'north', namespace: 'shop', name: 'lamp', type: 'Warning', message: 'widget lamp is stuck at step 3 of 9' },
        { cluster: 'south', namespace: 'bank', name: 'door', type: 'Warning', message: 'widget door is stuck at step 11 of 12' },
      ],
    });
  });

  it('answers the query of the contract, pages by cursor, and narrows down', async () => {
    const { data } = await casebook.graphql('{ undiagnosed(first: 20) { template } }');
    expect(data['undiagnosed']).toHaveLength(2);
    const [first, ...none] = await undiagnosed('(first: 1)');
    expect(none).toEqual([]);
    const [second] = await undiagnosed(`(first: 1, after: "${first.cursor}")`);
    expect([first.reason, second.reason]).toEqual(['Stuck', 'Rare']);
    expect(await undiagnosed(`(first: 1, after: "${second.cursor}")`)).toEqual([]);
    expect((await undiagnosed('(search: "RARE")')).map(({ reason }) => reason)).toEqual(['Rare']);
    expect((await undiagnosed('(clusters: ["north"])')).map(({ occurrences }) => occurrences)).toEqual([4]);
    expect((await undiagnosed('(from: "2026-11-21T00:00:00Z")')).map(({ occurrences }) => occurrences)).toEqual([1, 1]);
    expect((await undiagnosed('(to: "2026-11-20T00:00:00Z")')).map(({ occurrences }) => occurrences)).toEqual([4]);
  });

  it.each([
    ['(first: 0)', 'BAD_INPUT', 'first has to be from 1 to 200, got 0.'],
    ['(after: "x")', 'BAD_CURSOR', 'The cursor is damaged; take it from pageInfo.endCursor as it is.'],
    ['(from: "2026-11-21T00:00:00Z", to: "2026-11-20T00:00:00Z")', 'BAD_INPUT', 'from lies after to.'],
    [`(search: "${'x'.repeat(201)}")`, 'BAD_INPUT', 'search is longer than 200 characters.'],
  ])('refuses %s', async (args, code, message) => {
    const { errors } = await casebook.graphql(`{ undiagnosed${args} { id } }`);
    expect(errors).toMatchObject([{ message, extensions: { code } }]);
  });

  it('gives a problem file that, filled in, passes the check; with it the pattern leaves the list', async () => {
    const [stuck] = await undiagnosed('(search: "stuck")');
    const folder = join(overlay, 'kubernetes', 'widget');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, '_area.yaml'),
      'title: { en: Widgets, zh: 部件 }\nobjectKinds: [Widget]\nclears: { by: quiet, quiet: 30m }\n',
    );
    const check = async (text: string): Promise<string[]> => {
      await writeFile(join(folder, 'stuck.yaml'), text);
      const { knowledge, findings } = await inspectKnowledge({ bundled: resolve(KNOWLEDGE), overlay });
      const checked = checkKnowledge(knowledge, ({ id }) => id === 'kubernetes/widget/stuck');
      return [...findings, ...checked].map(({ message }) => message);
    };
    const unfilled = await check(stuck.skeleton);
    expect(unfilled.length).toBeGreaterThan(3);
    for (const message of unfilled) expect(message).toContain('is still the text of the skeleton');
    expect(await check(stuck.skeleton.replaceAll('TODO ', '').replaceAll('待填写', '已填写'))).toEqual([]);

    expect(await casebook.app.get(KnowledgeService).reload()).toMatchObject({ ok: true });
    expect((await undiagnosed()).map(({ reason }) => reason)).toEqual(['Rare']);
  });

  it('prints the skeletons of a running service', async () => {
    const { code, out } = await run(['--url', casebook.url, '--first', '5']);
    expect(code).toBe(0);
    expect(out).toContain('# 1 happening of 1 event in 1 cluster (south)');
    expect(out).toContain('  - message: "something \\"{text}\\""');
    const wrong = await run(['--url', 'http://127.0.0.1:1']);
    expect(wrong.code).toBe(3);
    expect(wrong.out).toContain('cannot be reached');
    expect((await run(['--first', 'many'])).code).toBe(2);
  });
});

function run(args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/commands/knowledge-undiagnosed.command.ts', ...args], { stdio: 'pipe' });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data.toString()));
    child.on('close', (code) => done({ code, out }));
  });
}

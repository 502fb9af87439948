import { cp, mkdtemp, rm, writeFile, mkdir, symlink } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { KnowledgeError } from '../../src/knowledge/knowledge-error.js';
import { loadKnowledge } from '../../src/knowledge/knowledge.loader.js';

const bad = fileURLToPath(new URL('bad', import.meta.url));

/** One folder under bad/ per mistake, and what its author is told. */
const mistakes: Record<string, string[]> = {
  syntax: ['kubernetes/area/problem.yaml:8: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  'duplicate-field': ['kubernetes/area/problem.yaml:11: Map keys must be unique'],
  'unknown-field': ['kubernetes/area/problem.yaml:11: remedy: unknown field "remedy"'],
  'missing-language': ['kubernetes/area/problem.yaml:2: summary.zh: is missing'],
  'empty-text': ['kubernetes/area/problem.yaml:2: summary.en: Too small: expected string to have >=1 characters'],
  'wrong-severity': ['kubernetes/area/problem.yaml:3: severity: Invalid option: expected one of "critical"|"error"|"warning"|"info"'],
  'no-causes': ['kubernetes/area/problem.yaml:7: causes: Too small: expected array to have >=1 items'],
  'empty-rule': ['kubernetes/area/problem.yaml:8: recognise.0: a rule needs at least one of code, alert, reason, message, regex, exitCode'],
  'bad-code': ['kubernetes/area/problem.yaml:8: recognise.0.code: Invalid input: expected string, received number'],
  'bad-template': ['kubernetes/area/problem.yaml:11: recognise.1.message.1: a "{" without its "}"; a literal brace is written "{{"'],
  'bad-regex': ['kubernetes/area/problem.yaml:8: recognise.0.regex: not an RE2 expression: error parsing regexp: '],
  'bad-duration': ['kubernetes/area/problem.yaml:6: clears.quiet: expected a duration such as 90s, 15m, 6h, 7d'],
  'bad-clears': ['kubernetes/area/problem.yaml:6: clears.by: Invalid'],
  'bad-clearing-template': ['kubernetes/area/problem.yaml:9: clears.on.0.message: two placeholders side by side'],
  'unknown-related': ['kubernetes/area/problem.yaml:12: related.0: there is no problem "kubernetes/area/nothing"'],
  'bad-related-id': ['kubernetes/area/problem.yaml:12: related.0.id: expected an id such as tke/ingress/E4011'],
  'bad-url': ['kubernetes/area/problem.yaml:12: references.0.url: Invalid URL'],
  'no-kinds': ['kubernetes/area/problem.yaml:1: objectKinds: is missing, and the area gives no default'],
  'no-clears': ['kubernetes/area/problem.yaml:1: clears: is missing, and the area gives no default'],
  'empty-file': ['title: is missing', 'summary: is missing', 'severity: Invalid option', 'consequence: is missing', 'causes: is missing'],
  'no-area': ['kubernetes/area/problem.yaml:1: the area kubernetes/area has no _area.yaml'],
  'bad-area': ['kubernetes/area/_area.yaml:1: title.zh: is missing'],
  'wrong-provider': ['gke/area/problem.yaml:1: "gke" is no provider; expected one of kubernetes, tke, tke-serverless, ack, casebook'],
  'wrong-depth': ['kubernetes/problem.yaml:1: expected the path <provider>/<area>/<name>.yaml'],
  'wrong-name': ['kubernetes/area/my_problem.yaml:1: the path may hold letters, digits and "-" only, the folders in lower case'],
  'wrong-ending': ['kubernetes/area/problem.yml:1: the file has to end in .yaml'],
  'cause-circle': [
    'kubernetes/area/a.yaml:12: related.0: causes go in a circle: kubernetes/area/a <- kubernetes/area/b <- kubernetes/area/a',
  ],
};

Object.assign(mistakes, {
  'guide-dead-link': [
    'guides/walk.yaml:4: problems.0: there is no problem "kubernetes/area/nothing"',
    'guides/walk.yaml:10: steps.0.outcomes.0.lead.step: there is no step "nowhere"',
    'guides/walk.yaml:12: steps.0.outcomes.1.lead.guide: there is no guide "guide/none"',
  ],
  'guide-unreachable-step': ['guides/walk.yaml:9: steps.1.id: no outcome leads to the step "second"'],
  'guide-wrong-place': ['guides/area/walk.yaml:1: expected the path guides/<name>.yaml'],
  'reference-dead-link': ['reference/pod-states.yaml:5: states.0.problems.0: there is no problem "kubernetes/area/nothing"'],
  'reference-unknown-table': ['reference/colours.yaml:1: expected the path reference/<name>.yaml with one of exit-codes, '],
});

const folders: string[] = [];

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'knowledge-'));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const area = 'title: { en: Area, zh: 区域 }\nobjectKinds: [Pod]\nclears: { by: quiet }\n';

function problem(severity: string): string {
  return `title: { en: T, zh: 题 }\nsummary: { en: S, zh: 摘 }\nseverity: ${severity}\nconsequence: { en: C, zh: 果 }
causes: [{ text: { en: C, zh: 因 }, checks: [{ look: { en: L, zh: 看 } }], remedies: [{ en: R, zh: 修 }] }]\n`;
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

describe('loadKnowledge', () => {
  it.each(Object.entries(mistakes))('tells file, line and reason of the mistake in bad/%s', async (folder, expected) => {
    const error = await loadKnowledge({ bundled: join(bad, folder) }).then(
      () => expect.fail('the mistake was not found'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(KnowledgeError);
    const lines = (error as KnowledgeError).message.split('\n').map((line) => line.replace(`${join(bad, folder)}/`, ''));
    expect(lines).toHaveLength(expected.length);
    for (const [i, part] of expected.entries()) expect(lines[i]).toContain(part);
  });

  it('has an expectation for every bad folder', () => {
    expect(readdirSync(bad).sort()).toEqual(Object.keys(mistakes).sort());
  });

  it('lays the folder of the user over the bundled one', async () => {
    const [bundled, overlay] = [await temporaryFolder(), await temporaryFolder()];
    await write(bundled, {
      'kubernetes/a/_area.yaml': area,
      'kubernetes/a/one.yaml': problem('error'),
      'kubernetes/a/two.yaml': problem('error'),
    });
    await write(overlay, {
      'kubernetes/a/_area.yaml': area.replace('Pod', 'Node'),
      'kubernetes/a/two.yaml': problem('info'),
      'ack/own/_area.yaml': area,
      'ack/own/three.yaml': problem('warning'),
      'README.md': '# notes',
    });
    const knowledge = await loadKnowledge({ bundled, overlay });
    expect(knowledge.problems.map(({ id, severity, objectKinds }) => `${id} ${severity} ${objectKinds.join()}`)).toEqual([
      'ack/own/three warning Pod',
      'kubernetes/a/one error Node',
      'kubernetes/a/two info Node',
    ]);
  });

  it('follows the links of a mounted ConfigMap and reads nothing twice', async () => {
    const folder = await temporaryFolder();
    await write(folder, { '..2026_11_20/kubernetes/a/_area.yaml': area, '..2026_11_20/kubernetes/a/one.yaml': problem('error') });
    await symlink('..2026_11_20', join(folder, '..data'));
    await symlink(join('..data', 'kubernetes'), join(folder, 'kubernetes'));
    const knowledge = await loadKnowledge({ bundled: folder });
    expect(knowledge.problems.map(({ id }) => id)).toEqual(['kubernetes/a/one']);
  });

  it('lays guides and tables of the user over the bundled ones', async () => {
    const [bundled, overlay] = [await temporaryFolder(), await temporaryFolder()];
    const states = (name: string): string => `states: [{ name: ${name}, kind: phase, meaning: { en: M, zh: 意 }, guides: [guide/walk] }]\n`;
    const guide = (title: string): string => `title: { en: ${title}, zh: 题 }\nsymptom: { en: S, zh: 症 }\nproblems: [kubernetes/a/one]
steps: [{ id: first, check: { en: C, zh: 查 }, outcomes: [{ when: { en: W, zh: 若 }, lead: { problem: kubernetes/a/two } }] }]\n`;
    const problems = { 'kubernetes/a/_area.yaml': area, 'kubernetes/a/one.yaml': problem('error'), 'kubernetes/a/two.yaml': problem('error') };
    await write(bundled, { ...problems, 'guides/walk.yaml': guide('Old'), 'guides/other.yaml': guide('Other'), 'reference/pod-states.yaml': states('Old') });
    await write(overlay, { 'guides/walk.yaml': guide('New'), 'reference/pod-states.yaml': states('New') });
    const { guides, guideById, guidesByProblem, reference } = await loadKnowledge({ bundled, overlay });
    expect(guides.map(({ id, title }) => `${id} ${title.en}`)).toEqual(['guide/other Other', 'guide/walk New']);
    expect(guideById.get('guide/walk')).toBe(guides[1]);
    expect(guidesByProblem.get('kubernetes/a/two')?.map(({ id }) => id)).toEqual(['guide/other', 'guide/walk']);
    expect(reference.podStates.map(({ name }) => name)).toEqual(['New']);
    expect(Object.isFrozen(guides[0]?.steps[0])).toBe(true);
  });

  it('gives the same version for the same content only', async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()];
    await write(first, { 'kubernetes/a/_area.yaml': area, 'kubernetes/a/one.yaml': problem('error') });
    await cp(first, second, { recursive: true });
    const version = (await loadKnowledge({ bundled: first })).version;
    expect(version).toMatch(/^[0-9a-f]{12}$/);
    expect((await loadKnowledge({ bundled: second })).version).toBe(version);
    await write(second, { 'kubernetes/a/one.yaml': problem('info') });
    expect((await loadKnowledge({ bundled: second })).version).not.toBe(version);
  });

  it('tells of a folder that cannot be read', async () => {
    await expect(loadKnowledge({ bundled: join(bad, 'nowhere') })).rejects.toThrow(/nowhere:1: the folder cannot be read/);
  });
});

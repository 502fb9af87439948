import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findViolations } from './find-violations.js';
import { DOORS, FORBIDDEN } from './rules.js';

const MOST_LINES = 300;

describe('the house', () => {
  it('keeps its doors, its purity and its owners', { timeout: 60_000 }, async () => {
    const { files, violations } = await findViolations('.');
    expect(files).toBeGreaterThan(50);
    expect(violations).toEqual([]);
  });

  it('has no room without doors', async () => {
    const rooms = (await readdir('src', { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(rooms.filter((room) => room !== 'commands' && !(room in DOORS))).toEqual([]);
  });

  it(`has no file of more than ${MOST_LINES} lines`, async () => {
    const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts') && !file.includes('generated'));
    const lengths = await Promise.all(files.map(async (file) => ({ file, lines: (await readFile(join('src', file), 'utf8')).split('\n').length - 1 })));
    expect(lengths.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
  });
});

/** Every file of the fixture breaks the rules that its first line names; files without such a line break none. */
describe('the rules', () => {
  const fixture = 'test/architecture/fixture';

  it('report every kind of forbidden import, and nothing else', { timeout: 60_000 }, async () => {
    const files = (await readdir(join(fixture, 'src'), { recursive: true })).filter((file) => /[.][jt]s$/.test(file));
    const expected = await Promise.all(
      files.map(async (file) => {
        const rules = /^\/\/ breaks (.+)/.exec(await readFile(join(fixture, 'src', file), 'utf8'))?.[1]?.split(', ') ?? [];
        return rules.map((rule) => `src/${file} ${rule}`);
      }),
    );
    const { violations } = await findViolations(fixture);
    expect(violations.map(({ from, rule }) => `${from} ${rule}`).sort()).toEqual(expected.flat().sort());
  });

  it('are all broken somewhere in the fixture', { timeout: 60_000 }, async () => {
    const { violations } = await findViolations(fixture);
    const broken = new Set(violations.map(({ rule }) => rule));
    expect(FORBIDDEN.map((rule) => rule.name).filter((name) => !broken.has(String(name)))).toEqual([]);
  });
});

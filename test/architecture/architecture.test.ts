import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGlobals } from './find-globals.js';
import { findViolations } from './find-violations.js';
import { DOORS, FORBIDDEN, PURE } from './rules.js';

const MOST_LINES = 300;

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, 'src'), { recursive: true });
  return files.map((file) => `src/${file.replaceAll('\\', '/')}`).filter((file) => /[.][jt]s$/.test(file) && !file.includes('/generated/'));
}

/** `file globals/name` for every impure global in a pure file, and for `process.env` outside config. */
async function globalsIn(folder: string): Promise<string[]> {
  const found = (await sourceFiles(folder)).map(async (file) => {
    if (file.startsWith('src/config/') || file.endsWith('.spec.ts')) return [];
    const pure = !PURE.pathNot.some((pattern) => new RegExp(pattern).test(file));
    return findGlobals(await readFile(join(folder, file), 'utf8'), pure).map((name) => `${file} globals/${name}`);
  });
  return (await Promise.all(found)).flat();
}

describe('the house', () => {
  it('keeps its doors, its purity and its owners', { timeout: 60_000 }, async () => {
    const { files, violations } = await findViolations('.');
    expect(files).toBeGreaterThan(50);
    expect(violations).toEqual([]);
  });

  it('keeps clocks, chance and the environment out of pure files', async () => {
    expect(await globalsIn('.')).toEqual([]);
  });

  it('has no room without doors', async () => {
    const rooms = (await readdir('src', { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(rooms.filter((room) => room !== 'commands' && !(room in DOORS))).toEqual([]);
  });

  it(`has no file of more than ${MOST_LINES} lines`, async () => {
    const lengths = await Promise.all(
      (await sourceFiles('.')).map(async (file) => ({ file, lines: (await readFile(file, 'utf8')).split('\n').length - 1 })),
    );
    expect(lengths.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
  });
});

/** Every file of the fixture breaks the rules that its first line names; files without such a line break none. */
describe('the rules', () => {
  const fixture = 'test/architecture/fixture';

  it('report every kind of forbidden import, and nothing else', { timeout: 60_000 }, async () => {
    const expected = (await sourceFiles(fixture)).map(async (file) => {
      const rules = /^\/\/ breaks (.+)/.exec(await readFile(join(fixture, file), 'utf8'))?.[1]?.split(', ') ?? [];
      return rules.map((rule) => `${file} ${rule}`);
    });
    const { violations } = await findViolations(fixture);
    const found = [...violations.map(({ from, rule }) => `${from} ${rule}`), ...(await globalsIn(fixture))];
    expect(found.sort()).toEqual((await Promise.all(expected)).flat().sort());
  });

  it('are all broken somewhere in the fixture', { timeout: 60_000 }, async () => {
    const { violations } = await findViolations(fixture);
    const broken = new Set(violations.map(({ rule }) => rule));
    expect(FORBIDDEN.map((rule) => rule.name).filter((name) => !broken.has(String(name)))).toEqual([]);
  });
});

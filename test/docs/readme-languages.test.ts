import { access, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const [english, chinese] = await Promise.all(
  ['README.md', 'README.zh-CN.md'].map(async (file) => readMarkdown(await readFile(file, 'utf8'))),
);

/** What the READMEs of both languages have in common. */
interface Shape {
  headings: { level: number; code: string[] }[];
  blocks: { language: string; lines: string[] }[];
  firstColumns: string[][];
  links: string[];
}

/** Takes a README apart. The titles of headings and tables are prose; only what stands in backticks is compared there. */
function readMarkdown(text: string): Shape {
  const shape: Shape = { headings: [], blocks: [], firstColumns: [], links: [] };
  let fence = false;
  let before = '';
  for (const line of text.split('\n')) {
    const heading = /^(#+) (.*)$/.exec(line);
    if (line.startsWith('```')) {
      fence = !fence;
      if (fence) shape.blocks.push({ language: line.slice(3), lines: [] });
    } else if (fence) shape.blocks.at(-1)!.lines.push(line);
    else if (line.startsWith('    ')) {
      if (!before.startsWith('    ')) shape.blocks.push({ language: 'indented', lines: [] });
      shape.blocks.at(-1)!.lines.push(withoutComment(line));
    } else if (heading) shape.headings.push({ level: heading[1]!.length, code: codeIn(heading[2]!) });
    else if (/^\|[-|]+\|$/.test(line)) shape.firstColumns.push([]);
    else if (line.startsWith('| ') && before.startsWith('|')) shape.firstColumns.at(-1)!.push(line.split('|')[1]!.trim());
    if (!fence) shape.links.push(...[...line.matchAll(/\]\((?!http)([^)#]+)[^)]*\)/g)].map(([, path]) => path!));
    before = line;
  }
  return shape;
}

function withoutComment(line: string): string {
  return line.replace(/\s+# .*$/, '').trim();
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

describe('README.md and README.zh-CN.md', () => {
  it('are read', () => {
    expect(english!.headings.length).toBeGreaterThan(8);
    expect(english!.blocks.length).toBeGreaterThan(15);
    expect(english!.firstColumns.map((column) => column.length > 5)).toEqual([true, true]);
  });

  it('have the same headings in the same order', () => expect(chinese!.headings).toEqual(english!.headings));

  it('show the same commands, queries and answers', () => expect(chinese!.blocks).toEqual(english!.blocks));

  it('list the same variables and calls', () => expect(chinese!.firstColumns).toEqual(english!.firstColumns));

  it('lead to the same files, which exist, and to each other', async () => {
    const others = (links: string[]): string[] => links.filter((path) => !path.startsWith('README'));
    expect(others(chinese!.links)).toEqual(others(english!.links));
    expect(english!.links[0]).toBe('README.zh-CN.md');
    expect(chinese!.links[0]).toBe('README.md');
    for (const path of [...english!.links, ...chinese!.links]) await expect(access(path), path).resolves.toBeUndefined();
  });
});

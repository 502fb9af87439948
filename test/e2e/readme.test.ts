import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDemo } from '../../src/demo/run-demo.service.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

/** What README.md asks, and the answer that it promises, if any. */
interface Example {
  title: string;
  path: string;
  body?: string;
  answer?: unknown;
}

const text = await readFile('README.md', 'utf8');
const fences = [...text.matchAll(/^```(sh|graphql|json)\n(.*?)^```$/gms)].map(([, language, content]) => ({ language, content: content! }));
const examples = fences.flatMap(({ language, content }, i): Example[] => {
  if (language === 'json') return [];
  const next = fences[i + 1];
  const asked =
    language === 'sh'
      ? readCurl(content)
      : { title: content.split('\n')[1]!.trim(), path: '/graphql', body: JSON.stringify({ query: content }) };
  return [{ ...asked, ...(next?.language === 'json' && { answer: JSON.parse(next.content) }) }];
});

/** Reads a command of the form that README.md uses: curl -s, an address, and perhaps -H and -d. */
function readCurl(command: string): Example {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const url = words.find((word) => word.startsWith('http'))!;
  const at = words.indexOf('-d');
  const path = url.replace('http://127.0.0.1:4000', '');
  return { title: `curl ${path}`, path, ...(at > 0 && { body: words[at + 1]! }) };
}

let casebook: TestCasebook;
beforeAll(async () => {
  casebook = await startTestCasebook({}, 'knowledge');
  await runDemo(casebook.app);
});
afterAll(() => casebook.stop());

describe('README.md', () => {
  it('has examples of both doors', () => {
    expect(examples.filter(({ path }) => path === '/graphql').length).toBeGreaterThan(4);
    expect(examples.filter(({ path }) => path !== '/graphql').length).toBeGreaterThan(3);
  });

  it.each(examples)('tells the truth: $title', async ({ path, body, answer }) => {
    const headers = { 'content-type': path === '/graphql' ? 'application/json' : 'application/x-www-form-urlencoded' };
    const got = await casebook.send(body === undefined ? 'GET' : 'POST', path, { ...(body !== undefined && { body, headers }) });
    expect([200, 201]).toContain(got.status);
    expect(got.body).not.toHaveProperty('errors');
    // What an answer costs is told beside each; the examples show what was asked for.
    if (path === '/graphql') delete got.body.extensions;
    if (answer !== undefined) expect(got.body).toEqual(answer);
  });

  it('names every variable of the configuration, and no other', async () => {
    const files = (await readdir('src/config')).filter((file) => /^(?!client-)[\w-]*config\.ts$/.test(file));
    const code = (await Promise.all(files.map((file) => readFile(`src/config/${file}`, 'utf8')))).join('');
    const known = [...new Set([...code.matchAll(/(?:^ {2,4}|[{,] )([A-Z][A-Z_]+): /gm)].map(([, name]) => name))];
    const told = [...text.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(told.sort()).toEqual(known.sort());
  });

  it('names only commands and files that there are', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const [, name] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name);
    for (const [, path] of text.matchAll(/\]\((?!http)([^)#]+)\)/g)) if (!path!.endsWith('/')) await readFile(path!);
  });
});

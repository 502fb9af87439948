import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'knowledge-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

function run(command: string, ...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', `src/commands/${command}.command.ts`, ...args], { cwd: root }, (error, output, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors }),
    );
  });
}

describe('knowledge:check', () => {
  it('names file, line and reason, and fails', async () => {
    const { code, output } = await run('knowledge-check', '--knowledge', 'test/knowledge/bad/missing-language');
    expect(output).toContain('error   test/knowledge/bad/missing-language/kubernetes/area/problem.yaml:2: summary.zh: is missing');
    expect(code).toBe(1);
  });

  it('shows an author only what concerns the files asked for', async () => {
    const { code, output } = await run('knowledge-check', '--knowledge', 'test/knowledge/bad/missing-language', 'kubernetes/other');
    expect(output).toBe('0 problems checked against 0: 0 errors, 0 warnings\n(1 errors in files that were not asked for are not shown)\n');
    expect(code).toBe(0);
  });
});

describe('knowledge:new and knowledge:explain', () => {
  it('write a file that loads, and tell of a text why it is recognised', async () => {
    const created = await run('knowledge-new', '--knowledge', folder, 'tke/ingress/E4999');
    expect(created).toMatchObject({ code: 0, errors: '', output: expect.stringContaining(`--overlay ${folder} tke/ingress/E4999`) });
    expect(await readFile(join(folder, 'tke/ingress/E4999.yaml'), 'utf8')).toContain('- code: E4999');
    expect(await run('knowledge-new', '--knowledge', folder, 'tke/ingress/E4999')).toMatchObject({ code: 1 });
    expect(await run('knowledge-new', '--knowledge', folder, 'nonsense')).toMatchObject({ code: 2 });

    const explained = await run(
      'knowledge-explain',
      '--knowledge',
      folder,
      '--kind',
      'Pod',
      '--problem',
      'tke/ingress/E4999',
      'TODO literal text with "value"',
    );
    expect(explained.errors).toBe('');
    expect(explained.output).toContain('tke/ingress/E4999  (text, score 20)');
    expect(explained.output).toContain('{placeholder} = value');
    expect(explained.output).toContain('recognise.0: the text does not name the code E4999');
    expect(await run('knowledge-explain', '--provider', 'gke', 'x')).toMatchObject({ code: 2 });
  });
});

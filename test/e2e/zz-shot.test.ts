import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { startTestCasebook } from '../support/start-casebook.js';
it('shoots', async () => {
  const casebook = await startTestCasebook({}, 'knowledge');
  const pages: Record<string, string> = { 'list-en': '/problems', 'list-zh': '/problems?locale=zh', 'search-zh': '/problems?locale=zh&search=%E8%AF%81%E4%B9%A6%E8%BF%87%E6%9C%9F', 'problem-en': '/problems/kubernetes/node/disk-full', 'problem-zh': '/problems/tke/ingress/E4011?locale=zh', 'guide-zh': '/guides/node-disk-full?locale=zh', 'guide-en': '/guides/node-disk-full' };
  for (const [name, path] of Object.entries(pages)) await promisify(execFile)('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--window-size=1000,1300', `--screenshot=/tmp/shots/${name}.png`, new URL(path, casebook.url).href], { timeout: 30000 }).catch((e) => console.log(name, String(e).slice(0, 300)));
  // does the filter work under the policy?
  const { stdout } = await promisify(execFile)('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--v=0', '--dump-dom', new URL('/problems', casebook.url).href], { timeout: 30000, maxBuffer: 1e8 }).then((r) => { console.log(r.stderr.split('\n').filter((l) => /CONSOLE|Refused/.test(l)).join('\n')); return r; });
  console.log(stdout.length);
  await casebook.stop();
}, 200_000);

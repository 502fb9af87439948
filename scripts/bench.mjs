// npm run bench: every bench one after the other; npm run bench -- matching ingest runs some. Each prints its figures and
// fails when an answer was wrong or a limit was missed. Run nothing else on the machine meanwhile.
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const ENDING = '.bench.ts';

const all = (await readdir(join(root, 'bench'))).filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  process.exit(1);
}

for (const name of wanted.length > 0 ? wanted : all.sort()) {
  const code = await run(join(root, 'bench', `${name}${ENDING}`));
  if (code !== 0) process.exitCode = 1;
  console.log();
}

function run(file) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', file], { cwd: root, stdio: 'inherit' });
    child.once('error', () => done(1)).once('exit', (code, signal) => done(code ?? signal));
  });
}

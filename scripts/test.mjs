// npm test: lint, types and every test. The last line is the number of tests that passed and failed.
// Arguments go to vitest: npm test -- src/matching
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCLI, startVitest } from 'vitest/node';
import { build } from './build.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const problems = [];

await build().catch((error) => problems.push(`Build failed: ${error.message}`));
// oxlint first: it takes a fraction of a second, and its output must not mix with that of tsc
await check('Lint', 'oxlint/bin/oxlint');
await check('Type check', 'typescript/bin/tsc', '--noEmit');
const { passed, failed } = await test(process.argv.slice(2)).catch((error) => {
  problems.push(`vitest did not start: ${error.message}`);
  return { passed: 0, failed: 0 };
});

for (const problem of problems) console.log(problem);
if (passed + failed === 0) console.log('No test ran.');
console.log(`${passed} passed, ${failed} failed`);
process.exit(problems.length > 0 || failed > 0 || passed === 0 ? 1 : 0);

async function check(name, ...command) {
  const code = await run(...command);
  if (code !== 0) problems.push(`${name} failed.`);
}

async function test(args) {
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  const vitest = await startVitest('test', filter, { ...options, run: true, watch: false }, { configLoader: 'runner' });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state) => tests.filter((test) => test.result().state === state).length;
  // a file that does not load has no tests to fail: it counts as one
  const broken = modules.filter((module) => module.state() === 'failed' && ![...module.children.allTests('failed')].length).length;
  const counts = { passed: count('passed'), failed: count('failed') + broken };
  await vitest.close();
  if (process.exitCode && counts.failed === 0) problems.push('vitest failed outside of a test.');
  return counts;
}

function run(script, ...args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root, stdio: 'inherit' });
    child.once('error', () => done(1)).once('exit', (code, signal) => done(code ?? signal));
  });
}

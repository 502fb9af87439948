// npm start: builds when the sources have changed, then becomes the service. Arguments go through: npm start -- --demo
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isBuilt } from './build.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'dist/main.js');

// An installed package has no sources: there dist/ is what it is. The compiler runs in a process of its own, whose
// memory is gone when the service starts.
if (existsSync(join(root, 'src')) && !(await isBuilt())) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// npm that was killed cannot tell us: its end is the signal. (`exec` in package.json is for the same reason: sh would take
// the SIGTERM that npm passes on, and leave the service running without a parent.)
if (process.env.npm_lifecycle_event === 'start') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}

// Libraries check themselves in development; that costs the GraphQL door about a twentieth of its speed.
process.env.NODE_ENV ??= 'production';

// The same process, not a child: signals reach the service, and its exit code is ours.
process.setSourceMapsEnabled(true);
process.argv[1] = main;
await import(pathToFileURL(main).href);

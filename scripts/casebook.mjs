#!/usr/bin/env node
// npx casebook: the commands of Casebook. In a checkout it builds first when the sources have changed, as npm start does.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

// An installed package has no sources: there dist/ is what it is. What the build prints is not the command's output.
if (existsSync(join(root, 'src'))) {
  const { isBuilt } = await import('./build.mjs');
  if (!(await isBuilt())) {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(status ?? 1);
  }
}
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, 'dist/commands/casebook.command.js')).href);

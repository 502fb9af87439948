// Unpacks Debian's package of Prometheus, once, into .data/prometheus. Needs Debian with apt-get; installs nothing.
import { spawn } from 'node:child_process';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Returns the paths of prometheus and promtool, fetching them when they are missing. */
export async function fetchPrometheus(folder = '.data/prometheus') {
  const home = resolve(folder);
  const bin = join(home, 'bin');
  const programs = { prometheus: join(bin, 'prometheus'), promtool: join(bin, 'promtool') };
  if (await exists(programs.promtool)) return programs;
  const work = join(home, 'unpack');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await run(work, 'apt-get', '-qq', '-o', 'APT::Sandbox::User=root', 'download', 'prometheus').catch((error) => {
    throw new Error(`${error.message}; if apt-get does not know the package, run "apt-get update" first`);
  });
  for (const deb of await readdir(work)) await run(work, 'dpkg', '-x', deb, 'root');
  await rm(bin, { recursive: true, force: true });
  await rename(join(work, 'root/usr/bin'), bin);
  await rm(work, { recursive: true, force: true });
  return programs;
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

function run(cwd, program, ...args) {
  return new Promise((done, fail) => {
    spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', fail)
      .on('exit', (code) => (code === 0 ? done() : fail(new Error(`${program} ${args.join(' ')} ended with ${code}`))));
  });
}

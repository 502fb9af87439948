// npm run test:restore: backups by pg_dump and by pg_basebackup with archived WAL, restored into other servers. Opt-in, for it needs
// the programs of a PostgreSQL, which the npm packages of the embedded one do not have.
import { spawn } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];
const DEBIAN = '/usr/lib/postgresql';

const versions = (await readdir(DEBIAN).catch(() => [])).sort((a, b) => Number(b) - Number(a));
const folders = [process.env.TEST_POSTGRES_BIN, ...versions.map((version) => join(DEBIAN, version, 'bin'))].filter(Boolean);
const complete = await Promise.all(
  folders.map((folder) =>
    Promise.all(PROGRAMS.map((program) => access(join(folder, program)))).then(
      () => true,
      () => false,
    ),
  ),
);
const bin = folders.find((_, i) => complete[i]);
if (bin === undefined) {
  console.error(
    'No PostgreSQL is installed. Set TEST_POSTGRES_BIN to the folder of its programs, or, on Debian: apt-get install postgresql',
  );
  process.exit(1);
}
console.log(`PostgreSQL in ${bin}`);
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.restore.config.ts', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { env: { ...process.env, TEST_POSTGRES_BIN: bin }, stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));

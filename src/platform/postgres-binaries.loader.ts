import { chmod, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Absolute paths of the PostgreSQL programs that come with the npm packages. */
export interface PostgresBinaries {
  /** Folder that holds `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Environment to run them with: never the service's own, whose PGPORT, PGOPTIONS or secrets must not reach them. */
  environment: Record<string, string>;
}

/**
 * Finds PostgreSQL for this platform in the packages of `embedded-postgres`, and makes it runnable: an install with
 * scripts switched off leaves the libraries without their short names.
 *
 * @param linkFolder folder for those short names when the packages belong to somebody else; created when needed
 */
export async function loadPostgresBinaries(linkFolder: string): Promise<PostgresBinaries> {
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
  const root = dirname(dirname(found.postgres));
  const libraries = await linkLibraries(root, linkFolder);
  for (const file of [found.initdb, found.postgres, found.pg_ctl]) await makeExecutable(file);
  const environment = { LC_ALL: 'C', PATH: SYSTEM_PATH, ...(libraries && { LD_LIBRARY_PATH: `${libraries}:${join(root, 'lib')}` }) };
  return { root, initdb: found.initdb, postgres: found.postgres, pgCtl: found.pg_ctl, environment };
}

/** Returns the folder of the links when they could not be put beside the libraries themselves. */
async function linkLibraries(root: string, linkFolder: string): Promise<string | undefined> {
  const text = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  let elsewhere = '';
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    if (await link(basename(source), join(dirname(root), target))) continue;
    elsewhere = linkFolder;
    await mkdir(linkFolder, { recursive: true });
    await link(join(dirname(root), source), join(linkFolder, basename(target)));
  }
  return elsewhere || undefined;
}

/** False when the folder may not be written to. */
async function link(to: string, at: string): Promise<boolean> {
  try {
    await symlink(to, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
}

async function makeExecutable(file: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(file)).mode & 0o111) !== 0) return;
  await chmod(file, 0o755);
}

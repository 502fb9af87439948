import { spawnSync } from 'node:child_process';
import { chown, lstat, readFile, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** A program, its arguments and the identity under which it has to be spawned. */
export interface Launch {
  command: string;
  args: string[];
  identity: { uid?: number; gid?: number };
}

/** The operating-system identity of the database server. PostgreSQL refuses to run as root. */
export interface ServerAccount {
  /** Wraps a program so that it runs under this account. */
  launch(command: string, args: string[]): Launch;
  /** Gives a file or folder, with all that is in it, to this account. */
  own(path: string): Promise<void>;
}

const asOneself: ServerAccount = {
  launch: (command, args) => ({ command, args, identity: {} }),
  own: async () => undefined,
};

/**
 * Chooses the account. An ordinary user is its own account. Root hands over to the owner of the cluster or of the data
 * folder when that is not root, else to `nobody`; no user is added to the system. Where that account cannot reach the
 * files (a checkout below a folder of mode 0700), the server also gets the capability to pass file permissions.
 */
export async function chooseServerAccount(dataDir: string, cluster: string, programs: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) {
    await refuseForeignCluster(cluster);
    return asOneself;
  }
  const id = await unprivilegedId(cluster, dataDir);
  const own = (path: string): Promise<void> => chownTree(path, id.uid, id.gid);
  if (
    (await reaches(id, dataDir)) &&
    (await reaches(id, join(programs, 'bin', 'postgres'))) &&
    (await reaches(id, join(programs, 'share')))
  ) {
    return { launch: (command, args) => ({ command, args, identity: id }), own };
  }
  const capability = [
    `--reuid=${id.uid}`,
    `--regid=${id.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // else access(2), by which PostgreSQL looks at its own programs, leaves the capability out
    '--securebits=+no_setuid_fixup',
  ];
  const initdb = join(programs, 'bin', 'initdb');
  const probe = spawnSync('setpriv', [...capability, initdb, '--show', `--pgdata=${join(dataDir, 'none')}`], { encoding: 'utf8' });
  if (probe.status !== 0) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and user id ${id.uid} cannot reach ${dataDir} or ${programs}. ` +
        'Start Casebook as an ordinary user, move the checkout to a folder that every user may enter, or set DATABASE_URL to a PostgreSQL server.',
      { cause: probe.error ?? probe.stderr },
    );
  }
  return { launch: (command, args) => ({ command: 'setpriv', args: [...capability, command, ...args], identity: {} }), own };
}

async function refuseForeignCluster(cluster: string): Promise<void> {
  const owner = (await stat(cluster).catch(() => undefined))?.uid;
  if (owner === undefined || process.getuid === undefined || owner === process.getuid()) return;
  throw new EmbeddedPostgresError(
    `${cluster} belongs to user id ${owner}: Casebook was started there as another user. ` +
      'Start it as that user or as root, or set CASEBOOK_DATA_DIR to another folder.',
  );
}

async function unprivilegedId(cluster: string, dataDir: string): Promise<{ uid: number; gid: number }> {
  const existing = await stat(cluster).catch(() => undefined);
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const folder = await stat(dataDir);
  // initdb insists on a name for its user id
  const named = new RegExp(`^[^:]+:[^:]*:${folder.uid}:`, 'm').test(passwd);
  if (folder.uid !== 0 && named) return { uid: folder.uid, gid: folder.gid };
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return nobody ? { uid: Number(nobody[1]), gid: Number(nobody[2]) } : { uid: 65534, gid: 65534 };
}

async function reaches(id: { uid: number; gid: number }, path: string): Promise<boolean> {
  for (let at = await realpath(path); ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at);
    const bits = uid === id.uid ? mode >> 6 : gid === id.gid ? mode >> 3 : mode;
    if ((bits & 0o1) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  await chown(path, uid, gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await chownTree(join(path, name), uid, gid);
}

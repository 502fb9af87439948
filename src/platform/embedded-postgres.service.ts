import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { initdbArguments } from './postgres-arguments.js';
import { loadPostgresBinaries } from './postgres-binaries.loader.js';
import { freePort, isAlive, PostgresProcess, removeFolder, runInitdb } from './postgres-process.service.js';
import type { PostmasterFile } from './postmaster-file.js';
import { chooseServerAccount } from './server-account.service.js';

const USER = 'casebook';
const DATABASE = 'casebook';
/** Advisory lock of database `postgres` that every service using the server holds shared; exclusive means "the last one". */
const USERS_LOCK = 7_061_963;
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;

/** What to start, and whom to tell. */
export interface EmbeddedPostgresOptions {
  /** Folder of the service's data; the database is kept in its subfolder `postgres`. Created when missing. */
  dataDir: string;
  /** Told about starts, adoptions and losses of the server, one sentence each. */
  log?: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** False for throw-away data: no fsync, no autovacuum. Default true. */
  durable?: boolean;
}

/**
 * A real PostgreSQL from npm packages, in `<dataDir>/postgres`, on 127.0.0.1.
 *
 * A server that outlived a killed service is adopted, and so is the server of another live service on the same folder; the
 * last service to stop takes the server down. A server that dies is started again on the same port, so that pools recover.
 */
export class EmbeddedPostgres {
  #holder: pg.Client | undefined;
  #pid = 0;
  #port = 0;
  #adopted = false;
  #stopping = false;
  #recovery: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: PostgresProcess,
    private readonly password: string,
    private readonly log: NonNullable<EmbeddedPostgresOptions['log']>,
  ) {}

  /**
   * Starts or adopts the server and creates the database when it is new. Takes about a second the first time.
   *
   * @throws EmbeddedPostgresError when this machine or the folder does not allow it; the message says what to do.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const durable = options.durable ?? true;
    if ((await mkdir(options.dataDir, { recursive: true })) !== undefined) await chmod(options.dataDir, 0o711);
    const dataDir = await realpath(resolve(options.dataDir));
    const cluster = join(dataDir, 'postgres');
    const binaries = await loadPostgresBinaries(join(dataDir, 'postgres-lib'));
    const account = await chooseServerAccount(dataDir, cluster, binaries.root);
    if (!(await readFile(join(cluster, 'password'), 'utf8').catch(() => undefined))) {
      await createCluster(cluster, async (draft) => {
        await account.own(draft);
        await runInitdb(binaries, account, initdbArguments(join(draft, 'data'), USER, join(draft, 'password'), durable));
      });
    }
    const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
    const server = new PostgresProcess(cluster, binaries, account, durable);
    const embedded = new EmbeddedPostgres(server, password, options.log ?? (() => undefined));
    await embedded.#run();
    return embedded;
  }

  /** Connection string of Casebook's database. */
  get url(): string {
    return `postgresql://${USER}:${this.password}@127.0.0.1:${this.#port}/${DATABASE}`;
  }

  /** TCP port on 127.0.0.1. */
  get port(): number {
    return this.#port;
  }

  /** Process id of the server. */
  get pid(): number {
    return this.#pid;
  }

  /** True when the server was already running. */
  get adopted(): boolean {
    return this.#adopted;
  }

  /** Stops the server unless another live service uses it; returns when it has ended. Close the pools before. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#recovery;
    const holder = this.#holder;
    if (!holder) return;
    const last = await isLastUser(holder).catch(() => false);
    if (last) await this.server.stop(this.#pid, STOP_TIMEOUT_MS);
    await holder.end().catch(() => undefined);
  }

  async #run(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (let started = false; ;) {
      const lock = await this.server.lockFile();
      if (lock && (await this.server.isServer(lock.pid))) {
        if (lock.ready && lock.port && (await this.#hold(lock, lock.port))) {
          this.#adopted = !started;
          this.log('info', `${started ? 'Started' : 'Adopted'} PostgreSQL on 127.0.0.1:${this.#port}, process ${this.#pid}.`);
          return;
        }
        if (performance.now() > deadline) throw await this.#unusable(lock);
        await delay(50);
        continue;
      }
      if (lock) await disownLockFile(this.server.dataDirectory, lock);
      started = (await this.#startServer()) === 'ready';
    }
  }

  async #startServer(): Promise<string> {
    const portFile = join(this.server.cluster, 'port');
    const saved = Number(await readFile(portFile, 'utf8').catch(() => '')) || undefined;
    // pools of this process already know the port: wait for it rather than move
    const port = this.#port || (await freePort(saved));
    const outcome = await this.server.start(port, START_TIMEOUT_MS);
    if (outcome === 'ready' && port !== saved) await writeFile(portFile, String(port));
    if (outcome === 'port-taken' && this.#port) throw new EmbeddedPostgresError(`Port ${port} of the embedded database is taken.`);
    return outcome;
  }

  /** Connects, proves that it is our server, and joins its users; false when it is not (yet, or any more) usable. */
  async #hold(lock: PostmasterFile, port: number): Promise<boolean> {
    const holder = new pg.Client({
      host: '127.0.0.1',
      port,
      user: USER,
      password: this.password,
      database: 'postgres',
      ssl: false,
      keepAlive: true,
      application_name: 'casebook-holder',
    });
    holder.on('error', () => undefined);
    try {
      await holder.connect();
      const { rows } = await holder.query<{ directory: string; joined: boolean }>(
        `SELECT current_setting('data_directory') AS directory, pg_try_advisory_lock_shared(${USERS_LOCK}) AS joined`,
      );
      const own = rows[0] && (await realpath(rows[0].directory).catch(() => '')) === this.server.dataDirectory;
      if (!own || !rows[0]?.joined) throw new Error('not ours, or stopping');
      await holder.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
        // exists already, or another service creates it at this moment
        if (error.code !== '42P04' && error.code !== '23505') throw error;
      });
    } catch (error) {
      await holder.end().catch(() => undefined);
      if ((error as { code?: string }).code === '28P01') {
        throw new EmbeddedPostgresError(`The running PostgreSQL refuses the password kept in ${this.server.cluster}.`, { cause: error });
      }
      return false;
    }
    this.#holder = holder;
    this.#pid = lock.pid;
    this.#port = port;
    holder.once('end', () => {
      if (!this.#stopping) this.#recovery = this.#recover();
    });
    return true;
  }

  async #recover(): Promise<void> {
    this.#holder = undefined;
    this.log('warn', 'Lost the embedded PostgreSQL; starting it again.');
    for (let wait = 500; !this.#stopping; wait = Math.min(wait * 2, 30_000)) {
      try {
        return await this.#run();
      } catch (error) {
        this.log('error', `The embedded PostgreSQL does not start: ${(error as Error).message}`);
        for (const end = performance.now() + wait; performance.now() < end && !this.#stopping;) await delay(50);
      }
    }
  }

  async #unusable(lock: PostmasterFile): Promise<EmbeddedPostgresError> {
    return new EmbeddedPostgresError(
      `PostgreSQL process ${lock.pid} runs on ${this.server.dataDirectory} but cannot be used. Stop it, then start Casebook again.`,
    );
  }
}

/** Builds a cluster beside its place and renames it there, so that a half-made one is never taken for a whole one. */
async function createCluster(cluster: string, initialise: (draft: string) => Promise<void>): Promise<void> {
  const parent = resolve(cluster, '..');
  for (const name of await readdir(parent)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await removeFolder(join(parent, name));
  }
  const draft = await mkdtemp(`${cluster}.new-${process.pid}-`);
  try {
    await writeFile(join(draft, 'password'), `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    await initialise(draft);
    await rename(draft, cluster).catch((error: NodeJS.ErrnoException) => {
      // another service was quicker: use its cluster
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'EPERM') throw error;
    });
  } finally {
    await removeFolder(draft);
  }
}

/**
 * PostgreSQL takes any living process for the owner of a left-over lock file, and process ids come round again, in
 * containers at once. It ignores a lock that names its own parent, and then still checks the shared memory for survivors.
 */
async function disownLockFile(dataDirectory: string, lock: PostmasterFile): Promise<void> {
  if (!isAlive(lock.pid)) return;
  const file = join(dataDirectory, 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [process.pid, ...rest].join('\n'));
}

async function isLastUser(holder: pg.Client): Promise<boolean> {
  await holder.query(`SELECT pg_advisory_unlock_shared(${USERS_LOCK})`);
  const { rows } = await holder.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${USERS_LOCK}) AS last`);
  return rows[0]?.last === true;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { postgresArguments } from './postgres-arguments.js';
import type { PostgresBinaries } from './postgres-binaries.loader.js';
import { parsePostmasterFile, type PostmasterFile } from './postmaster-file.js';
import type { ServerAccount } from './server-account.service.js';

const POLL_MS = 10;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** How an attempt to start a server ended. */
export type StartOutcome = 'ready' | 'port-taken' | 'already-running';

/** A container has less than its machine. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Starts, watches and stops the `postgres` program of one cluster folder (`data`, `log` beside it). */
export class PostgresProcess {
  readonly dataDirectory: string;
  readonly #logFile: string;

  constructor(
    readonly cluster: string,
    private readonly binaries: PostgresBinaries,
    private readonly account: ServerAccount,
    private readonly durable: boolean,
  ) {
    this.dataDirectory = join(cluster, 'data');
    this.#logFile = join(cluster, 'log');
  }

  /** The lock file of the server, whether that server lives or not. */
  async lockFile(): Promise<PostmasterFile | undefined> {
    return parsePostmasterFile(await readFile(join(this.dataDirectory, 'postmaster.pid'), 'utf8').catch(() => ''));
  }

  /**
   * Starts a server on the port and waits until it accepts connections.
   *
   * @throws EmbeddedPostgresError with the end of the server's log when it ends for another reason than the two named outcomes.
   */
  async start(port: number, timeoutMs: number): Promise<StartOutcome> {
    const before = await this.#rotateLog();
    const log = await open(this.#logFile, 'a', 0o600);
    let child: ChildProcess;
    try {
      const args = postgresArguments({ dataDirectory: this.dataDirectory, port, durable: this.durable, memory: memoryOfMachine() });
      const { command, args: rest, identity } = this.account.launch(this.binaries.postgres, args);
      // A session of its own: Ctrl-C must reach the service first, which stops the server after its last write.
      child = spawn(command, rest, {
        ...identity,
        cwd: '/',
        env: this.binaries.environment,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      });
    } finally {
      await log.close();
    }
    let ended: string | undefined;
    child.once('error', (error) => (ended = error.message));
    child.once('exit', (code, signal) => (ended ??= `exit ${code ?? signal}`));
    child.unref();
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await delay(POLL_MS)) {
      if (ended !== undefined) return this.#explain(ended, before);
      const lock = await this.lockFile();
      if (lock?.pid === child.pid && lock?.ready) return 'ready';
    }
    child.kill('SIGINT');
    throw new EmbeddedPostgresError(`PostgreSQL did not accept connections within ${timeoutMs} ms. Its log is ${this.#logFile}.`);
  }

  /** Stops the server of the lock file by a fast shutdown, and returns when it has ended; SIGQUIT after `timeoutMs`. */
  async stop(pid: number, timeoutMs: number): Promise<void> {
    if (process.platform === 'win32') {
      const { command, args } = this.account.launch(this.binaries.pgCtl, ['stop', '-m', 'fast', '-D', this.dataDirectory]);
      await new Promise((resolve) => spawn(command, args, { stdio: 'ignore' }).once('close', resolve).once('error', resolve));
      return;
    }
    for (const name of ['SIGINT', 'SIGQUIT'] as const) {
      signal(pid, name);
      for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await delay(POLL_MS)) {
        if (!(await this.isServer(pid))) return;
      }
    }
  }

  /** True when the process that the lock file names is a PostgreSQL server on this data directory. */
  async isServer(pid: number): Promise<boolean> {
    if (!isAlive(pid)) return false;
    if (process.platform !== 'linux') return (await this.lockFile())?.pid === pid;
    // empty for a process that has ended but whose parent never asks for its status, as in a container
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.split('\0').includes(this.dataDirectory);
  }

  async #rotateLog(): Promise<number> {
    const size = (await stat(this.#logFile).catch(() => undefined))?.size ?? 0;
    if (size < LOG_LIMIT_BYTES) return size;
    await rename(this.#logFile, `${this.#logFile}.1`);
    return 0;
  }

  async #explain(ended: string, logOffset: number): Promise<StartOutcome> {
    const log = (await readFile(this.#logFile, 'utf8').catch(() => '')).slice(logOffset);
    if (log.includes('lock file "postmaster.pid" already exists')) return 'already-running';
    if (/could not (bind|create any TCP\/IP sockets)/.test(log)) return 'port-taken';
    throw new EmbeddedPostgresError(`PostgreSQL did not start (${ended}): ${log.trim() || `see ${this.#logFile}`}`);
  }
}

/** Runs `initdb` under the account. */
export async function runInitdb(binaries: PostgresBinaries, account: ServerAccount, args: string[]): Promise<void> {
  const { command, args: rest, identity } = account.launch(binaries.initdb, args);
  const child = spawn(command, rest, { ...identity, cwd: '/', env: binaries.environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message)).once('close', (status, by) => resolve(status ?? by ?? 'unknown'));
  });
  if (code !== 0) throw new EmbeddedPostgresError(`initdb could not create the embedded database (${code}): ${text.trim()}`);
}

/** A TCP port of 127.0.0.1 that nobody listens on: `preferred` when that one is free. */
export async function freePort(preferred?: number): Promise<number> {
  const listen = (port: number): Promise<number | undefined> =>
    new Promise((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(undefined));
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        const { port: got } = server.address() as { port: number };
        server.close(() => resolve(got));
      });
    });
  const port = (preferred === undefined ? undefined : await listen(preferred)) ?? (await listen(0));
  if (port === undefined) throw new EmbeddedPostgresError('No TCP port of 127.0.0.1 is free for the embedded database.');
  return port;
}

/** Removes a folder that a killed process left behind. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** True while a process with this id exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // already gone
  }
}

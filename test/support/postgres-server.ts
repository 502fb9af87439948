import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** A PostgreSQL of the machine, on a free port of 127.0.0.1, with its WAL archived. */
export class PostgresServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    private readonly port: number,
  ) {}

  /** Address of its one database, which the first start creates. */
  get url(): string {
    return `postgresql://casebook@127.0.0.1:${this.port}/casebook`;
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  /** Where the archived WAL is. */
  get archive(): string {
    return join(this.folder, 'wal');
  }

  /** A server in a folder of its own; `data` comes from a backup, else it is a new one. */
  static async create(folder: string, restored = false): Promise<PostgresServer> {
    const server = new PostgresServer(folder, await freePort());
    for (const path of [folder, server.archive]) {
      await mkdir(path, { recursive: true });
      if (isRoot) await chown(path, NOBODY, NOBODY);
    }
    if (!restored) {
      await runProgram('initdb', [
        '--pgdata',
        server.data,
        '--username=casebook',
        '--auth=trust',
        '--locale=C',
        '--encoding=UTF8',
        '--no-sync',
      ]);
      await server.configure({ wal_level: 'replica', archive_mode: 'on', archive_command: `cp %p ${server.archive}/%f` });
    }
    return server;
  }

  async configure(settings: Record<string, string>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    await appendFile(join(this.data, 'postgresql.conf'), lines.join(''));
  }

  async start(): Promise<this> {
    const args = ['-D', this.data, '-p', String(this.port), '-k', '', '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    const child = spawn(join(BIN, 'postgres'), args, { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
    this.#process = child;
    await waitUntil(
      async () => {
        if (child.exitCode !== null) throw new Error(`PostgreSQL ended:\n${log}`);
        return this.query('postgres', 'SELECT 1 WHERE NOT pg_is_in_recovery()').catch(() => []);
      },
      (rows) => rows.length > 0,
      60_000,
    );
    const there = await this.query('postgres', `SELECT 1 FROM pg_database WHERE datname = 'casebook'`);
    if (there.length === 0) await this.query('postgres', 'CREATE DATABASE casebook');
    return this;
  }

  /** Ends it; at once when it is to be lost. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async query(database: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: Object.assign(new URL(this.url), { pathname: `/${database}` }).href });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

const BIN = process.env['TEST_POSTGRES_BIN'] ?? '';
const isRoot = process.getuid?.() === 0;
/** PostgreSQL refuses to run as root. */
const NOBODY = isRoot ? Number(/^nobody:[^:]*:(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'))?.[1] ?? 65_534) : 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Runs a program of PostgreSQL to its end. */
export async function runProgram(name: string, args: readonly string[]): Promise<void> {
  if (!BIN) throw new Error('TEST_POSTGRES_BIN is not set: start these tests with npm run test:restore');
  await promisify(execFile)(join(BIN, name), args, { ...asNobody, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } });
}

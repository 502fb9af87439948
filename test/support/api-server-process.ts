import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

/** Paths of the real programs, as scripts/build-apiserver.mjs leaves them. */
export interface ApiServerPrograms {
  apiserver: string;
  etcd: string;
  etcdctl: string;
}

const ADMIN = 'admin-of-this-test-only';
const PATIENCE_MS = 60_000;

/** A real kube-apiserver with its etcd, in a folder and on ports of its own. */
export class ApiServerProcess {
  #etcd: ChildProcess | undefined;
  #apiserver: ChildProcess | undefined;
  #log = '';

  private constructor(
    private readonly programs: ApiServerPrograms,
    private readonly folder: string,
    private readonly ports: { etcd: number; peer: number; api: number },
    /** PEM of the authority that signed the server's certificate. */
    readonly ca: string,
  ) {}

  /** Starts both. `tokens` are bearer tokens by user name, besides that of the administrator. */
  static async start(programs: ApiServerPrograms, tokens: Readonly<Record<string, string>> = {}): Promise<ApiServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-apiserver-'));
    const [etcd, peer, api] = [await freePort(), await freePort(), await freePort()];
    const users = Object.entries(tokens).map(([user, token]) => `${token},${user},${user}`);
    await writeFile(join(folder, 'tokens.csv'), [`${ADMIN},admin,admin,"system:masters"`, ...users].join('\n'), { mode: 0o600 });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(join(folder, 'service-account.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const server = new ApiServerProcess(programs, folder, { etcd, peer, api }, '');
    try {
      await server.#startEtcd();
      await server.startApiServer();
    } catch (error) {
      await server.stop();
      throw error;
    }
    // The server signs its own certificate, which is its own authority.
    return Object.assign(server, { ca: await readFile(join(folder, 'certificates/apiserver.crt'), 'utf8') });
  }

  /** Address of the API server. */
  get url(): string {
    return `https://127.0.0.1:${this.ports.api}`;
  }

  /** Starts the API server after it was killed, on the same port and data, and waits until it is ready. */
  async startApiServer(): Promise<void> {
    const { folder, ports } = this;
    this.#apiserver = this.#spawn(this.programs.apiserver, [
      `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
      `--secure-port=${ports.api}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(folder, 'certificates')}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--anonymous-auth=false',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--disable-admission-plugins=ServiceAccount',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${join(folder, 'service-account.pem')}`,
      `--service-account-signing-key-file=${join(folder, 'service-account.pem')}`,
      // Compaction is ordered by the tests themselves.
      '--etcd-compaction-interval=0',
    ]);
    await this.#until(this.#apiserver, async () => (await this.call('GET', '/readyz')).status === 200);
  }

  /** Kills the API server without a chance to say goodbye; etcd, and so its data, lives on. */
  async killApiServer(): Promise<void> {
    await kill(this.#apiserver);
  }

  /** Forgets the history up to now, so that older resource versions can no longer be watched from. */
  async compact(): Promise<void> {
    const { stdout } = await promisify(execFile)(
      this.programs.etcdctl,
      [`--endpoints=http://127.0.0.1:${this.ports.etcd}`, 'endpoint', 'status', '-w', 'json'],
      { env: { ETCDCTL_API: '3' } },
    );
    const [{ Status: status }] = JSON.parse(stdout) as [{ Status: { header: { revision: number } } }];
    await promisify(execFile)(
      this.programs.etcdctl,
      [`--endpoints=http://127.0.0.1:${this.ports.etcd}`, 'compact', String(status.header.revision)],
      { env: { ETCDCTL_API: '3' } },
    );
  }

  /** One request of the administrator. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    return new Promise((done, fail) => {
      const options = {
        method,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      };
      const sent = request(`${this.url}${path}`, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', fail);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = answer.headers['content-type']?.includes('json');
          done({ status: answer.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
        });
      });
      sent.on('error', fail);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Stops both and removes their data. */
  async stop(): Promise<void> {
    await kill(this.#apiserver);
    await kill(this.#etcd);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #startEtcd(): Promise<void> {
    const { etcd, peer } = this.ports;
    this.#etcd = this.#spawn(this.programs.etcd, [
      `--data-dir=${join(this.folder, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${etcd}`,
      `--advertise-client-urls=http://127.0.0.1:${etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
    ]);
    await this.#until(this.#etcd, async () => (await fetch(`http://127.0.0.1:${etcd}/health`)).ok);
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-20_000)));
    return child;
  }

  async #until(child: ChildProcess, ready: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      if (child.exitCode !== null) break;
      if (await ready().catch(() => false)) return;
      await new Promise((resume) => setTimeout(resume, 200));
    }
    throw new Error(`${child.spawnfile} did not become ready:\n${this.#log}`);
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

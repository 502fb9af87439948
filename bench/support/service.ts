import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The service in a process of its own, as `npm start` runs it. */
export interface BenchService {
  url: string;
  stop(): Promise<void>;
}

/** Starts the service on a database and a free port; built when the sources have changed. */
export async function startBenchService(databaseUrl: string): Promise<BenchService> {
  const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
  const env = { ...process.env, DATABASE_URL: databaseUrl, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', npm_lifecycle_event: '' };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /"url":"(http:[^"]+)"/.exec(line)?.[1];
      if (found) resolve(found);
      if (/"level":[56]0/.test(line)) console.log(line);
    });
    void ended.then(() => reject(new Error('the service ended before it listened')));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** One kept-open connection to the service. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly base: string) {}

  /** Posts a body of JSON and returns the answer of a 200; anything else throws. */
  post<T>(path: string, body: Buffer | string): Promise<T> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(`${this.base}${path}`, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(text) as T);
          else reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Asks GraphQL; errors in the answer throw. */
  async ask<T>(query: string, variables: object = {}): Promise<T> {
    const { data, errors } = await this.post<{ data: T; errors?: { message: string }[] }>('/graphql', JSON.stringify({ query, variables }));
    if (errors) throw new Error(errors.map(({ message }) => message).join('; '));
    return data;
  }

  close(): void {
    this.#agent.destroy();
  }
}

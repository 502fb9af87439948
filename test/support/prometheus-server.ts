import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** A value of a series at a moment. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

/** An alert that is pending or firing. */
export interface ActiveAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: string;
}

/** A real Prometheus that scrapes a service every second. */
export class PrometheusServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  /** Starts one that scrapes the targets (host:port) with a bearer token, as job `casebook`, and evaluates the rules every second. */
  static async start(
    program: string,
    { targets, token, rules }: { targets: string[]; token: string; rules: string },
  ): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-prometheus-'));
    await writeFile(join(folder, 'rules.yaml'), rules);
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: [{ job_name: 'casebook', honor_labels: true, authorization: { credentials: token }, static_configs: [{ targets }] }],
    };
    // YAML takes JSON as it is.
    await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = `http://${address}`;
    await waitUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}:\n${output}`);
        return fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      (ready) => ready,
    );
    return new PrometheusServer(child, url, folder);
  }

  /** Evaluates an expression now. Throws with Prometheus's own words where it cannot. */
  async query(expression: string): Promise<Sample[]> {
    const { result } = await this.#get<{ result: Sample[] }>(`query?${new URLSearchParams({ query: expression })}`);
    return result;
  }

  /** Alerts that are pending or firing. */
  async alerts(): Promise<ActiveAlert[]> {
    return (await this.#get<{ alerts: ActiveAlert[] }>('alerts')).alerts;
  }

  /** Rules as Prometheus has them, with what went wrong in their evaluation. */
  async rules(): Promise<{ name: string; health: string; lastError?: string }[]> {
    const { groups } = await this.#get<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>('rules');
    return groups.flatMap((group) => group.rules);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    if (this.child.exitCode === null && this.child.kill('SIGTERM')) await exited;
    await rm(this.folder, { recursive: true });
  }

  async #get<T>(path: string): Promise<T> {
    const answer = (await (await fetch(`${this.url}/api/v1/${path}`)).json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** The built service as a process of its own, as `npm start` runs it. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens, such as `http://127.0.0.1:40123`. */
    readonly url: string,
    private readonly output: () => string,
  ) {}

  /** Starts the service on a free port and resolves when it says where it listens. */
  static async start(env: Record<string, string>, args: readonly string[] = []): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [resolve('dist/main.js'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const url = await new Promise<string>((done, fail) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
        if (found) done(found[0]);
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      child.once('exit', (code, signal) => fail(new Error(`the service ended with ${code ?? signal} before it listened:\n${output}`)));
    });
    return new ServiceProcess(child, url, () => output);
  }

  /** Everything it has printed. */
  get printed(): string {
    return this.output();
  }

  /** Ends it at once, without any chance to clean up. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Asks it to stop and resolves with its exit code. */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Sends it a signal, and does not wait for what comes of it. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Its exit code once it has ended; undefined before. */
  get ended(): number | NodeJS.Signals | undefined {
    return this.child.exitCode ?? this.child.signalCode ?? undefined;
  }

  /** Stops it as Ctrl-C under npm does: the signal comes from the terminal and once more from npm. */
  interruptTwice(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.end('SIGINT');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill(signal);
    return (await exited)[0];
  }
}

import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Metrics } from '../platform/metrics.service.js';
import { withTrace } from '../platform/work-context.service.js';
import type { JobMeter } from './job-meter.js';
import { measureJobs } from './job-meter.js';

/** Work that is repeated while the service runs. */
export interface BackgroundJob {
  name: string;
  /** Pause between the end of one run and the start of the next, milliseconds. */
  every: number;
  run: () => Promise<unknown>;
}

/** Where failures of background work are told. */
export type TellFailure = (job: string, error: unknown) => void;

/** Runs background jobs one after the other's own pause; a failure is told and the job goes on. */
@Injectable()
export class BackgroundService implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #meter: JobMeter;
  #stopped = false;

  constructor(
    private readonly jobs: readonly BackgroundJob[],
    private readonly tellFailure: TellFailure,
    metrics: Metrics,
  ) {
    this.#meter = measureJobs(metrics);
  }

  onApplicationBootstrap(): void {
    for (const job of this.jobs) this.#meter.begun(job, Date.now());
    for (const job of this.jobs) this.#schedule(job, 0);
  }

  /** Starts nothing more and waits for what is running. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #schedule(job: BackgroundJob, delay: number): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      const run = this.#run(job).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }, delay);
    timer.unref();
    this.#timers.set(job.name, timer);
  }

  async #run(job: BackgroundJob): Promise<void> {
    const began = performance.now();
    try {
      await withTrace(`job ${job.name}`, { attributes: { 'casebook.job': job.name } }, async () => job.run());
      this.#meter.succeeded(job, performance.now() - began, Date.now());
    } catch (error) {
      this.#meter.failed(job, performance.now() - began);
      this.tellFailure(job.name, error);
    }
    this.#schedule(job, job.every);
  }
}

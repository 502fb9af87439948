import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../platform/metrics.service.js';
import { BackgroundService } from './background.service.js';

describe('BackgroundService', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('tells among the metrics when each job last ended well, and how often it failed', async () => {
    const metrics = new Metrics();
    const told: string[] = [];
    const jobs = [
      { name: 'good', every: 60_000, run: async () => undefined },
      { name: 'bad', every: 60_000, run: () => Promise.reject(new Error('no')) },
    ];
    const service = new BackgroundService(jobs, (job) => void told.push(job), metrics);
    service.onApplicationBootstrap();
    await vi.advanceTimersByTimeAsync(120_000);
    const { body } = await metrics.text();
    expect(body.split('\n')).toEqual(
      expect.arrayContaining([
        'casebook_job_last_success_timestamp_seconds{name="good"} 1120',
        // It never did: since the start.
        'casebook_job_last_success_timestamp_seconds{name="bad"} 1000',
        'casebook_job_interval_seconds{name="good"} 60',
        'casebook_job_failures_total{name="good"} 0',
        'casebook_job_failures_total{name="bad"} 3',
        'casebook_job_duration_seconds_count{name="bad"} 3',
      ]),
    );
    expect(told).toEqual(['bad', 'bad', 'bad']);
    await service.onApplicationShutdown();
  });
});

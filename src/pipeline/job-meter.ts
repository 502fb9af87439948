import type { Metrics } from '../platform/metrics.service.js';

/** Upper bounds of how long a run takes, seconds: most find nothing to do, and some work for an hour. */
const BUCKETS = [0.01, 0.1, 1, 10, 60, 600, 3600];

/** What is measured by. `every` is the pause between runs, milliseconds. */
interface MeasuredJob {
  name: string;
  every: number;
}

/** Where background jobs tell how they do. Lengths in milliseconds, times in milliseconds since the epoch. */
export interface JobMeter {
  /** The job is going to be run from now on. */
  begun(job: MeasuredJob, now: number): void;
  succeeded(job: MeasuredJob, took: number, now: number): void;
  failed(job: MeasuredJob, took: number): void;
}

/** Puts background jobs among the metrics; asking again gives the same metrics. */
export function measureJobs(metrics: Metrics): JobMeter {
  const lastSuccess = metrics.gauge(
    'casebook_job_last_success_timestamp_seconds',
    'When a background job last ended well in this process; before that, when the process started it.',
    ['name'],
  );
  const interval = metrics.gauge('casebook_job_interval_seconds', 'Pause between two runs of a background job.', ['name']);
  const duration = metrics.histogram('casebook_job_duration_seconds', 'How long the runs of a background job took.', BUCKETS, ['name']);
  const failures = metrics.counter('casebook_job_failures_total', 'Runs of a background job that failed; it is tried again.', ['name']);
  return {
    begun: ({ name, every }, now) => {
      lastSuccess.set({ name }, now / 1000);
      interval.set({ name }, every / 1000);
      failures.inc({ name }, 0);
    },
    succeeded: ({ name }, took, now) => {
      lastSuccess.set({ name }, now / 1000);
      duration.observe({ name }, took / 1000);
    },
    failed: ({ name }, took) => {
      duration.observe({ name }, took / 1000);
      failures.inc({ name });
    },
  };
}

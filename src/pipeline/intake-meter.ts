import type { Delivery } from '../incidents/delivery.js';
import type { Metrics } from '../platform/metrics.service.js';

/** Upper bounds of times of a batch, seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const DIAGNOSES = ['diagnosed', 'undiagnosed', 'ordinary'] as const;

/** Where intake tells how it does. Times in milliseconds. */
export interface IntakeMeter {
  /** Events that were submitted together waited so long until the first of them was taken up. */
  waited(took: number): void;
  /** A batch of so many events was looked through for problems. */
  matched(events: number, took: number): void;
  /** A batch was written, or could not be. */
  written(result: 'stored' | 'failed', took: number): void;
  /** What events show that are stored now; `accepted`, parallel to them, is false for repeats, which count nothing. */
  stored(deliveries: readonly Delivery[], accepted: readonly boolean[]): void;
}

/** Puts intake among the metrics; `inHand` tells how much is waiting or being written, and `limit` how much may. */
export function measureIntake(metrics: Metrics, limit: number, inHand: () => number): IntakeMeter {
  metrics.gauge(
    'casebook_intake_queue_events',
    'Events that are waiting or being written; one counts for every 4,096 characters of text.',
    [],
    (gauge) => gauge.set(inHand()),
  );
  metrics.gauge('casebook_intake_queue_limit_events', 'How much may wait before senders are told to come back.').set(limit);
  const wait = metrics.histogram(
    'casebook_intake_queue_wait_seconds',
    'How long the events of a body, or of a batch of a watch, waited until the first of them was taken up.',
    BUCKETS,
  );
  const match = metrics.histogram('casebook_intake_match_duration_seconds', 'How long a batch was looked through for problems.', BUCKETS);
  const size = metrics.histogram('casebook_intake_batch_events', 'Events of a batch.', SIZES);
  const commit = metrics.histogram(
    'casebook_intake_commit_duration_seconds',
    'How long a batch took to be written, from asking for a connection until it was durable, by what became of it.',
    BUCKETS,
    ['result'],
  );
  const events = metrics.counter(
    'casebook_intake_diagnoses_total',
    'New and grown events that were stored: they show a problem (diagnosed), tell of a failure that no problem is known for (undiagnosed), or neither (ordinary).',
    ['diagnosis'],
  );
  commit.zero({ result: 'failed' });
  for (const diagnosis of DIAGNOSES) events.inc({ diagnosis }, 0);
  return {
    waited: (took) => wait.observe(took / 1000),
    matched: (count, took) => {
      size.observe(count);
      match.observe(took / 1000);
    },
    written: (result, took) => commit.observe({ result }, took / 1000),
    stored: (deliveries, accepted) => {
      const counts = { diagnosed: 0, undiagnosed: 0, ordinary: 0 };
      for (const [i, { sighted, unexplained }] of deliveries.entries()) {
        if (accepted[i]) counts[sighted ? 'diagnosed' : unexplained ? 'undiagnosed' : 'ordinary']++;
      }
      for (const diagnosis of DIAGNOSES) if (counts[diagnosis] > 0) events.inc({ diagnosis }, counts[diagnosis]);
    },
  };
}

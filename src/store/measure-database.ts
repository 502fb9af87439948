import type pg from 'pg';
import type { Metrics } from '../platform/metrics.service.js';

/** Upper bounds for transactions, in seconds: most take milliseconds, those of background work minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const REASONS = ['conflict', 'pool', 'lost'] as const;

/** Where the database tells how it does. */
export interface DatabaseMeter {
  /** A connection was given to a session after so many milliseconds. */
  waited(took: number): void;
  /** A transaction ended after so many milliseconds. */
  ended(result: 'committed' | 'rolled_back', took: number): void;
  /** The database could not do now what it will be able to do later. */
  unavailable(error: unknown): void;
}

/** A pool, and the turns that come before its connections. */
interface MeasuredPool {
  pool: pg.Pool;
  turns?: { readonly waiting: number };
}

/** Puts the state of the pools, by their names, among the metrics. */
export function measureDatabase(metrics: Metrics, pools: Readonly<Record<string, MeasuredPool>>): DatabaseMeter {
  const list = Object.entries(pools).map(([name, { pool, turns }]) => [name, pool, turns] as const);
  metrics.gauge(
    'casebook_database_connections',
    'Open connections to PostgreSQL, by the pool and by whether they are in use.',
    ['pool', 'state'],
    (gauge) => {
      for (const [pool, { idleCount, totalCount }] of list) {
        gauge.set({ pool, state: 'idle' }, idleCount);
        gauge.set({ pool, state: 'used' }, totalCount - idleCount);
      }
    },
  );
  metrics.gauge('casebook_database_connections_max', 'Most connections that a pool opens.', ['pool'], (gauge) => {
    for (const [pool, { options }] of list) gauge.set({ pool }, options.max);
  });
  metrics.gauge(
    'casebook_database_waiting',
    'Requests for a connection that wait for one to become free, by the pool.',
    ['pool'],
    (gauge) => {
      for (const [pool, { waitingCount }, turns] of list) gauge.set({ pool }, waitingCount + (turns?.waiting ?? 0));
    },
  );
  const wait = metrics.histogram(
    'casebook_database_connection_wait_seconds',
    'How long transactions and sessions waited for a connection; single statements are not counted.',
    BUCKETS,
  );
  const transactions = metrics.histogram(
    'casebook_database_transaction_duration_seconds',
    'How long transactions took from BEGIN to their end, by how they ended.',
    BUCKETS,
    ['result'],
  );
  const unavailable = metrics.counter(
    'casebook_database_unavailable_total',
    'Times that the database could not do its work for now: another transaction won (conflict), no connection became free in time (pool), or it was not there (lost).',
    ['reason'],
  );
  transactions.zero({ result: 'rolled_back' });
  for (const reason of REASONS) unavailable.inc({ reason }, 0);
  return {
    waited: (took) => wait.observe(took / 1000),
    ended: (result, took) => transactions.observe({ result }, took / 1000),
    unavailable: (error) => unavailable.inc({ reason: reasonOf(error) }),
  };
}

function reasonOf(error: unknown): (typeof REASONS)[number] {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '40001' || code === '40P01') return 'conflict';
  return message?.includes('timeout exceeded when trying to connect') ? 'pool' : 'lost';
}

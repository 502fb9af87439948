import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Takes the cluster's row for the rest of the transaction. Everything that a batch writes belongs to one cluster, so
 * writers of one cluster queue up here, before they hold anything else: no deadlock can arise, and what is read after
 * this line stays true until the commit. `heard` notes that the cluster spoke. Returns the database's clock, milliseconds
 * since the epoch; undefined when the cluster is gone.
 *
 * The rest of the transaction looks few rows up in tables of any size, so the planner is kept from reading whole tables:
 * where one incident has most of the affected objects, it expects as many of each, and 500 new incidents took 12 s. A
 * process that vanished without a word (its host lost power) gives the cluster back after a minute.
 */
export async function lockCluster(connection: Connection, clusterId: number, heard: boolean): Promise<number | undefined> {
  const take = heard
    ? 'UPDATE cluster SET last_heard_at = clock_timestamp() WHERE id = $1 RETURNING id'
    : 'SELECT id FROM cluster WHERE id = $1 FOR NO KEY UPDATE';
  const [taken] = await rows(connection, take, clusterId);
  if (!taken) return undefined;
  // A statement of its own: the clock is read after the wait for the lock.
  const [clock] = await rows<{ now: number }>(
    connection,
    `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),
       set_config('idle_in_transaction_session_timeout', '60s', true)`,
  );
  return clock!.now;
}

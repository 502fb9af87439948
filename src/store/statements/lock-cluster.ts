import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** A cluster that was taken. Times are milliseconds since the epoch. */
export interface LockedCluster {
  /** The database's clock once it was taken. */
  now: number;
  /** When it was heard before this transaction; null for never. */
  heardBefore: number | null;
  /** The last word before the silence that is raised; null when none is. */
  silentSince: number | null;
  /** When a silence was last raised or ended; null before the first. */
  silenceChangedAt: number | null;
}

/**
 * Takes the cluster's row for the rest of the transaction. Everything that a batch writes belongs to one cluster, so
 * writers of one cluster queue up here, before they hold anything else: no deadlock can arise, and what is read after
 * this line stays true until the commit. `heard` notes that the cluster spoke. Undefined when the cluster is gone or being removed.
 *
 * The rest of the transaction looks few rows up in tables of any size, so the planner is kept from reading whole tables:
 * where one incident has most of the affected objects, it expects as many of each, and 500 new incidents took 12 s. A
 * process that vanished without a word (its host lost power) gives the cluster back after a minute.
 */
export async function lockCluster(connection: Connection, clusterId: number, heard: boolean): Promise<LockedCluster | undefined> {
  const [taken] = await rows<Omit<LockedCluster, 'now'>>(
    connection,
    `SELECT ${ms('last_heard_at')} AS "heardBefore", ${ms('silent_since')} AS "silentSince", ${ms('silence_changed_at')} AS "silenceChangedAt"
     FROM cluster WHERE id = $1 AND removing_at IS NULL FOR NO KEY UPDATE`,
    clusterId,
  );
  if (!taken) return undefined;
  // A statement of its own: the clock is read after the wait for the lock.
  const settings = `floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true), set_config('idle_in_transaction_session_timeout', '60s', true)`;
  const [clock] = heard
    ? await rows<{ now: number }>(
        connection,
        `UPDATE cluster SET last_heard_at = clock_timestamp() WHERE id = $1 RETURNING ${settings}`,
        clusterId,
      )
    : await rows<{ now: number }>(connection, `SELECT ${settings}`);
  return { ...taken, now: clock!.now };
}

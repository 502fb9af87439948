import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Takes the cluster's row for the rest of the transaction and notes that it was heard. Everything that a batch writes
 * belongs to one cluster, so writers of one cluster queue up here, before they hold anything else: no deadlock can arise,
 * and what is read after this line stays true until the commit. Returns the database's clock, milliseconds since the
 * epoch; undefined when the cluster is gone.
 */
export async function lockCluster(connection: Connection, clusterId: number): Promise<number | undefined> {
  const [row] = await rows<{ now: number }>(
    connection,
    `UPDATE cluster SET last_heard_at = clock_timestamp() WHERE id = $1
     RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    clusterId,
  );
  return row && Math.floor(row.now);
}

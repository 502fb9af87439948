import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Epochs that are remembered: a position of an older one counts as expired. */
const REMEMBERED = 1000;

/**
 * Begins an epoch of the sequence of changes, and takes away what came with a dump of a server that had come further: its
 * numbers would pass for new changes on the day on which this server comes to them, and webhooks would wait until then. What is
 * committed here has a number below that of the next transaction. Returns how many changes were taken away.
 */
export async function beginChangeEpoch(connection: Connection, id: string, server: string): Promise<number> {
  await rows(connection, 'INSERT INTO incident_change_epoch (id, server) VALUES ($1, $2)', id, server);
  await rows(
    connection,
    'DELETE FROM incident_change_epoch WHERE seq <= (SELECT max(e.seq) FROM incident_change_epoch e) - $1::bigint',
    REMEMBERED,
  );
  await rows(
    connection,
    `UPDATE webhook_position SET xid = pg_current_xact_id(), seq = 0 WHERE xid > pg_snapshot_xmax(pg_current_snapshot())`,
  );
  await rows(connection, 'DELETE FROM incident_change_dropped d WHERE d.xid >= pg_snapshot_xmax(pg_current_snapshot())');
  const { rowCount } = await connection.query('DELETE FROM incident_change c WHERE c.xid >= pg_snapshot_xmax(pg_current_snapshot())');
  return rowCount ?? 0;
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Notes how far changes are about to be dropped, so that a reader who comes from before is told so; `cutoff` is an ISO day. What
 * is from the future came with a dump of another server, and says nothing here.
 */
export async function noteDroppedChanges(connection: Connection, cutoff: string): Promise<void> {
  await rows(
    connection,
    `INSERT INTO incident_change_dropped AS d (xid, seq)
     SELECT c.xid, c.seq FROM incident_change c WHERE c.at < ($1 || ' 00:00:00+00')::timestamptz AND c.xid < pg_snapshot_xmax(pg_current_snapshot())
     ORDER BY c.xid DESC, c.seq DESC LIMIT 1
     ON CONFLICT (singleton) DO UPDATE SET xid = EXCLUDED.xid, seq = EXCLUDED.seq
     WHERE (EXCLUDED.xid, EXCLUDED.seq) > (d.xid, d.seq) OR d.xid >= pg_snapshot_xmax(pg_current_snapshot())`,
    cutoff,
  );
}

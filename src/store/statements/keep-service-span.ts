import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

/** A pause of the service up to this long is none, so that a restart or a change of replicas does not count, milliseconds. */
const HOLE = 90_000;

/**
 * Notes that the service is there, at `now` (milliseconds since the epoch) or by the database's clock. Returns that time and the
 * start of the present span, over all replicas. Has to run inside a transaction.
 */
export async function keepServiceSpan(connection: Connection, now: number | null): Promise<{ now: number; since: number }> {
  await rows(connection, 'SELECT pg_advisory_xact_lock($1)', ADVISORY_LOCKS.serviceSpan);
  const [span] = await rows<{ now: number; since: number }>(
    connection,
    `WITH n AS (SELECT COALESCE(to_timestamp($1::float8 / 1000.0), clock_timestamp()) AS at),
     latest AS (SELECT s.started_at FROM service_span s, n WHERE s.last_at >= n.at - ${HOLE} * interval '1 ms' ORDER BY s.started_at DESC LIMIT 1),
     kept AS (
       INSERT INTO service_span AS s (started_at, last_at)
       SELECT COALESCE((SELECT started_at FROM latest), n.at), n.at FROM n
       ON CONFLICT (started_at) DO UPDATE SET last_at = GREATEST(s.last_at, EXCLUDED.last_at)
       RETURNING s.started_at
     )
     SELECT ${ms('n.at')} AS now, ${ms('kept.started_at')} AS since FROM n, kept`,
    now,
  );
  return span!;
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import { ADVISORY_LOCKS } from '../advisory-locks.js';

/** Refused input, alike ones folded. Times are milliseconds since the epoch. */
export interface NewRejected {
  /** Name that it was sent to, of a cluster or not. */
  cluster: string;
  /** The same for what is alike within one hour. */
  fold: string;
  firstAt: number;
  lastAt: number;
  count: number;
  code: string;
  reason: string;
  /** Position of the refused element; null when the whole body was refused. */
  element: number | null;
  format: string;
  bytes: number;
  address: string;
  userAgent: string;
  token: string;
  /** True when nobody knows who sent it. */
  stranger: boolean;
  sample: string;
}

/** Keeps refused input; what is alike and known already only grows. Returns the ids of the clusters that got any, 0 for names of none. Has to run inside a transaction. */
export async function insertRejected(connection: Connection, list: readonly NewRejected[]): Promise<number[]> {
  await rows(connection, 'SELECT pg_advisory_xact_lock($1)', ADVISORY_LOCKS.rejectedInput);
  const found = await rows<{ cluster_id: number }>(
    connection,
    `WITH kept AS (
       INSERT INTO rejected_input AS r (cluster_id, cluster_name, fold, first_at, last_at, count, code, reason, element, format, bytes, address, user_agent, token, sample)
       SELECT c.id, n.cluster, n.fold, to_timestamp(n."firstAt" / 1000.0), to_timestamp(n."lastAt" / 1000.0), n.count, n.code, n.reason, n.element, n.format, n.bytes,
         n.address, n."userAgent", n.token, n.sample
       FROM json_to_recordset($1::json) AS n(cluster text, fold text, "firstAt" float8, "lastAt" float8, count bigint, code text, reason text, element integer,
         format text, bytes integer, address text, "userAgent" text, token text, sample text)
       LEFT JOIN cluster c ON c.name = n.cluster AND c.removing_at IS NULL
       ORDER BY n."firstAt", n.fold
       ON CONFLICT (COALESCE(cluster_id, 0), fold) DO UPDATE SET
         count = r.count + EXCLUDED.count, first_at = LEAST(r.first_at, EXCLUDED.first_at), last_at = GREATEST(r.last_at, EXCLUDED.last_at)
       RETURNING r.cluster_id
     ) SELECT DISTINCT COALESCE(cluster_id, 0) AS cluster_id FROM kept`,
    JSON.stringify(list),
  );
  return found.map((row) => row.cluster_id);
}

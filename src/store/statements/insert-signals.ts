import type { Signal } from '../../incidents/delivery.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

interface Row {
  object_key: string;
  container: string;
  token: string;
  at: number;
}

/** Keeps signals and returns those that were not known yet. */
export async function insertSignals(connection: Connection, clusterId: number, signals: readonly Signal[]): Promise<Signal[]> {
  const added = await rows<Row>(
    connection,
    `INSERT INTO signal (at, cluster_id, object_key, container, token)
     SELECT DISTINCT to_timestamp(s.at / 1000.0), $1::integer, s."objectKey", s.container, s.token
     FROM json_to_recordset($2::json) AS s(at float8, "objectKey" text, container text, token text)
     ON CONFLICT DO NOTHING
     RETURNING object_key, container, token, (extract(epoch FROM at) * 1000)::float8 AS at`,
    clusterId,
    JSON.stringify(signals),
  );
  return added.map((row) => ({ objectKey: row.object_key, container: row.container, token: row.token, at: row.at }));
}

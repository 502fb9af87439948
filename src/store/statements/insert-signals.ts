import type { Signal } from '../../incidents/delivery.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import type { SignalRow } from './signal-row.js';
import { SIGNAL_COLUMNS, toSignal } from './signal-row.js';

/** Keeps signals and returns those that were not known yet. */
export async function insertSignals(connection: Connection, clusterId: number, signals: readonly Signal[]): Promise<Signal[]> {
  const added = await rows<SignalRow>(
    connection,
    `INSERT INTO signal (at, cluster_id, object_key, container, token)
     SELECT DISTINCT to_timestamp(s.at / 1000.0), $1::integer, s."objectKey", s.container, s.token
     FROM json_to_recordset($2::json) AS s(at float8, "objectKey" text, container text, token text)
     ON CONFLICT DO NOTHING
     RETURNING ${SIGNAL_COLUMNS}`,
    clusterId,
    JSON.stringify(signals),
  );
  return added.map(toSignal);
}

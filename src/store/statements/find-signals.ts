import type { Signal } from '../../incidents/delivery.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import type { SignalRow } from './signal-row.js';
import { SIGNAL_COLUMNS, toSignal } from './signal-row.js';

/** Finds the stored signals of objects, each from a moment on. OFFSET 0 as in `findEventKeys`; `$3` spares whole partitions. */
export async function findSignals(
  connection: Connection,
  clusterId: number,
  from: readonly { objectKey: string; at: number }[],
): Promise<Signal[]> {
  const found = await rows<SignalRow>(
    connection,
    `SELECT s.*
     FROM json_to_recordset($2::json) AS f("objectKey" text, at float8)
     CROSS JOIN LATERAL (
       SELECT ${SIGNAL_COLUMNS} FROM signal
       WHERE cluster_id = $1 AND signal.object_key = f."objectKey" AND at >= to_timestamp(f.at / 1000.0) AND at >= to_timestamp($3::float8 / 1000.0)
       OFFSET 0
     ) s`,
    clusterId,
    JSON.stringify(from),
    from.reduce((first, { at }) => Math.min(first, at), Infinity),
  );
  return found.map(toSignal);
}

import type { Signal } from '../../incidents/delivery.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Takes a stored signal back. */
export async function removeSignal(connection: Connection, clusterId: number, { objectKey, token, at }: Signal): Promise<void> {
  await rows(
    connection,
    'DELETE FROM signal WHERE cluster_id = $1 AND object_key = $2 AND token = $3 AND at = to_timestamp($4::float8 / 1000.0)',
    clusterId,
    objectKey,
    token,
    at,
  );
}

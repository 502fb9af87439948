import type { Signal } from '../../incidents/delivery.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Takes the signals of one token and moment back that are stored under some keys. One moment, so that a single partition is read. */
export async function removeSignals(
  connection: Connection,
  clusterId: number,
  objectKeys: readonly string[],
  { token, at }: Pick<Signal, 'token' | 'at'>,
): Promise<void> {
  await rows(
    connection,
    `DELETE FROM signal
     WHERE cluster_id = $1 AND object_key = ANY (ARRAY(SELECT json_array_elements_text($2::json))) AND token = $3 AND at = to_timestamp($4::float8 / 1000.0)`,
    clusterId,
    JSON.stringify(objectKeys),
    token,
    at,
  );
}

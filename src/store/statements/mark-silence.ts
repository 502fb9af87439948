import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** A change of a cluster's silence. Times are milliseconds since the epoch. */
export interface SilenceChange {
  /** The last word before the silence; null when it is over. */
  since: number | null;
  /** When it was raised or ended. */
  at: number;
}

/** Notes that a cluster's silence has been raised or is over. */
export async function markSilence(connection: Connection, clusterId: number, { since, at }: SilenceChange): Promise<void> {
  await rows(
    connection,
    `UPDATE cluster SET silent_since = to_timestamp($2::float8 / 1000.0), silence_changed_at = to_timestamp($3::float8 / 1000.0) WHERE id = $1`,
    clusterId,
    since,
    at,
  );
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** What one batch of a cluster was, for its health. */
export interface HeardBatch {
  /** When it was received, milliseconds since the epoch. */
  at: number;
  /** When the cluster was heard before, milliseconds since the epoch; null for never. */
  heardBefore: number | null;
  /** Whether the pause before it had been raised as silence. */
  silent: boolean;
  /** Events that were new or had grown. */
  events: number;
  /** All events, repeats included. */
  received: number;
  /** New and grown events by lateness. */
  lag: readonly number[];
}

/** A pause this long is noted, milliseconds. */
const PAUSE = 60_000;

/** Adds a batch to the minute of its cluster. A pause belongs to the minute that ended it, so to its first batch only. */
export async function countMinute(connection: Connection, clusterId: number, batch: HeardBatch): Promise<void> {
  const { at, heardBefore, silent, events, received, lag } = batch;
  const pause = heardBefore !== null && at - heardBefore >= PAUSE ? Math.round(at - heardBefore) : null;
  const added = lag.map((_, i) => `m.lag[${i + 1}] + EXCLUDED.lag[${i + 1}]`).join(', ');
  await rows(
    connection,
    `INSERT INTO cluster_minute AS m (cluster_id, minute, heard_at, pause_ms, silent, events, received, lag)
     VALUES ($1, date_trunc('minute', to_timestamp($2::float8 / 1000.0), 'UTC'), to_timestamp($2::float8 / 1000.0), $3, $4, $5, $6, $7::integer[])
     ON CONFLICT (cluster_id, minute) DO UPDATE SET
       events = m.events + EXCLUDED.events, received = m.received + EXCLUDED.received, lag = ARRAY[${added}]`,
    clusterId,
    at,
    pause,
    silent,
    events,
    received,
    lag,
  );
}

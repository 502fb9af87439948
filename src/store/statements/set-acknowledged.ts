import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import { statusOf } from './status-of.js';

/** Who acknowledged an incident, and when in milliseconds since the epoch. */
export interface Acknowledgement {
  at: number;
  by: string;
}

/** Keeps or takes back (null) the acknowledgement of an incident. */
export async function setAcknowledged(connection: Connection, incidentId: string, acknowledged: Acknowledgement | null): Promise<void> {
  await rows(
    connection,
    `UPDATE incident i
     SET acknowledged_at = to_timestamp($2::float8 / 1000.0), acknowledged_by = $3, status = ${statusOf('to_timestamp($2::float8 / 1000.0)')}
     FROM (SELECT e.started_at, e.ended_at FROM episode e WHERE e.incident_id = $1 ORDER BY e.started_at DESC LIMIT 1) l
     WHERE i.id = $1`,
    incidentId,
    acknowledged?.at ?? null,
    acknowledged?.by ?? null,
  );
}

import type { Cluster } from '../cluster.js';
import type { Database } from '../database.service.js';

const TYPE = { id: 'integer', name: 'text' } as const;

/** Finds clusters by their ids or names, in no order. */
export function findClusters(
  database: Pick<Database, 'rows'>,
  by: keyof typeof TYPE,
  values: readonly (number | string)[],
): Promise<Cluster[]> {
  return database.rows<Cluster>(
    `SELECT c.id, c.name, c.provider, c.region, c.labels, c.created_at AS "createdAt", c.last_heard_at AS "lastHeardAt",
       c.suspended_at AS "suspendedAt", c.suspended_reason AS "suspendedReason", c.removing_at AS "removingAt",
       c.signatures_required AS "signaturesRequired", c.events_per_second AS "eventsPerSecond", c.max_body_bytes AS "maxBodyBytes"
     FROM cluster c WHERE c.${by} = ANY($1::${TYPE[by]}[])`,
    values,
  );
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import type { NewDelivery, Told } from '../webhook.js';

/** What a receiver believes of an incident from now on; undefined for nothing any more. */
export interface ToldChange {
  webhookId: string;
  incidentId: string;
  clusterId: number;
  told: Told | undefined;
}

/** A change that is counted in a digest; `at` in milliseconds since the epoch. */
export interface Gathered {
  webhookId: string;
  incidentId: string;
  clusterId: number;
  kind: string;
  at: number;
}

const TIME = (column: string): string => `to_timestamp(${column} / 1000.0)`;

/** Queues messages, in the order given. */
export async function insertDeliveries(connection: Connection, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await rows(
    connection,
    `INSERT INTO webhook_delivery (id, webhook_id, incident_id, cluster_id, kind, about, body)
     SELECT n.id, n."webhookId", n."incidentId", n."clusterId", n.kind, n.about, n.body
     FROM ROWS FROM (json_to_recordset($1::json)
       AS (id uuid, "webhookId" uuid, "incidentId" uuid, "clusterId" integer, kind text, about uuid, body text)) WITH ORDINALITY
       AS n(id, "webhookId", "incidentId", "clusterId", kind, about, body, place)
     ORDER BY n.place`,
    JSON.stringify(deliveries),
  );
}

/** Writes what receivers believe. */
export async function writeTold(connection: Connection, changes: readonly ToldChange[]): Promise<void> {
  if (changes.length === 0) return;
  const gone = changes.filter(({ told }) => !told);
  const kept = changes.flatMap(({ told, ...key }) => (told ? [{ ...key, ...told }] : []));
  await rows(
    connection,
    `DELETE FROM webhook_told t USING json_to_recordset($1::json) AS n("webhookId" uuid, "incidentId" uuid)
     WHERE t.webhook_id = n."webhookId" AND t.incident_id = n."incidentId"`,
    JSON.stringify(gone),
  );
  await rows(
    connection,
    `INSERT INTO webhook_told (webhook_id, incident_id, cluster_id, state, kind, due_at, recovered_at, delivery_id, counted)
     SELECT n."webhookId", n."incidentId", n."clusterId", n.state, n.kind, ${TIME('n."dueAt"')}, ${TIME('n."recoveredAt"')}, n."deliveryId", n.counted
     FROM json_to_recordset($1::json) AS n("webhookId" uuid, "incidentId" uuid, "clusterId" integer, state text, kind text, "dueAt" float8,
       "recoveredAt" float8, "deliveryId" uuid, counted boolean)
     ON CONFLICT (webhook_id, incident_id) DO UPDATE SET state = EXCLUDED.state, kind = EXCLUDED.kind, due_at = EXCLUDED.due_at,
       recovered_at = EXCLUDED.recovered_at, delivery_id = EXCLUDED.delivery_id, counted = EXCLUDED.counted`,
    JSON.stringify(kept),
  );
}

/** Keeps changes for a digest; one of the same kind and incident counts once. */
export async function insertGathered(connection: Connection, gathered: readonly Gathered[]): Promise<void> {
  if (gathered.length === 0) return;
  await rows(
    connection,
    `INSERT INTO webhook_gathered (webhook_id, incident_id, cluster_id, kind, at)
     SELECT DISTINCT ON (n."webhookId", n."incidentId", n.kind) n."webhookId", n."incidentId", n."clusterId", n.kind, ${TIME('n.at')}
     FROM json_to_recordset($1::json) AS n("webhookId" uuid, "incidentId" uuid, "clusterId" integer, kind text, at float8)
     ON CONFLICT DO NOTHING`,
    JSON.stringify(gathered),
  );
}

/** Forgets what has become a digest: all of a webhook, or what is of some incidents. */
export async function emptyGathered(
  connection: Connection,
  emptied: readonly { webhookId: string; incidentIds: readonly string[] | null }[],
): Promise<void> {
  for (const { webhookId, incidentIds } of emptied) {
    await rows(
      connection,
      'DELETE FROM webhook_gathered WHERE webhook_id = $1 AND ($2::uuid[] IS NULL OR incident_id = ANY($2::uuid[]))',
      webhookId,
      incidentIds,
    );
  }
}

/** Moves the windows in which messages of webhooks are counted. */
export async function writeWindows(
  connection: Connection,
  windows: readonly { id: string; windowAt: number | null; windowCount: number; stormId: string | null; stormAt: number | null }[],
): Promise<void> {
  if (windows.length === 0) return;
  await rows(
    connection,
    `UPDATE webhook w SET window_at = ${TIME('n."windowAt"')}, window_count = n."windowCount", storm_id = n."stormId", storm_at = ${TIME('n."stormAt"')}
     FROM json_to_recordset($1::json) AS n(id uuid, "windowAt" float8, "windowCount" integer, "stormId" uuid, "stormAt" float8)
     WHERE w.id = n.id AND (w.window_count, w.window_at, w.storm_id) IS DISTINCT FROM (n."windowCount", ${TIME('n."windowAt"')}, n."stormId")`,
    JSON.stringify(windows),
  );
}

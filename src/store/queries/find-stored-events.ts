import type { ClusterEvent } from '../../events/cluster-event.js';
import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { scopeWhere } from './scope-where.js';

/** Which stored Events. Times in milliseconds since the epoch. */
export interface StoredEventFilter {
  /** Names of clusters; all when undefined. */
  clusters?: readonly string[] | undefined;
  /** When they were first received: from then on, and before then. */
  from: number;
  to: number;
}

/** Where a page goes on: behind this Event. */
export interface StoredEventKey {
  clusterId: number;
  uid: string;
  day: string;
}

/** An Event as of its newest delivery. What its owner was, and whether it was an alert, is not stored. */
export interface StoredEvent extends StoredEventKey {
  cluster: string;
  provider: string;
  event: ClusterEvent;
  /** Problem that it showed when it was stored; null for none. */
  problemId: string | null;
  /** Whether its incident is not resolved; false without one. */
  incidentOpen: boolean;
  /** Subject of its incident; null when it has none. */
  subject: { key: string; kind: string; namespace: string; name: string } | null;
}

interface Row {
  cluster_id: number;
  cluster: string;
  provider: string;
  uid: string;
  day: string;
  kind: string;
  namespace: string;
  name: string;
  container: string;
  reason: string;
  type: string;
  reporter: string;
  host: string;
  message: string;
  count: number;
  first_at: number;
  last_at: number;
  problem_id: string | null;
  open: boolean;
  subject_key: string | null;
  subject_kind: string;
  subject_namespace: string;
  subject_name: string;
}

/** Reads stored Events page by page, by cluster and uid: each page is found by the key, whatever lies before it. */
export async function findStoredEvents(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  { clusters, from, to }: StoredEventFilter,
  limit: number,
  after?: StoredEventKey,
): Promise<StoredEvent[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const moments = [put(from), put(to)].map((moment) => `to_timestamp(${moment}::float8 / 1000.0)`);
  // The day is that of the first receipt, so that other days' partitions are left alone.
  const conditions = [
    `e.day BETWEEN (${moments[0]} AT TIME ZONE 'UTC')::date AND (${moments[1]} AT TIME ZONE 'UTC')::date`,
    `e.received_at >= ${moments[0]} AND e.received_at < ${moments[1]}`,
    ...scopeWhere(scope, { cluster: 'e.cluster_id', namespace: 'e.namespace' }, put),
  ];
  if (clusters) conditions.push(`e.cluster_id = ANY(ARRAY(SELECT c.id FROM cluster c WHERE c.name = ANY(${put(clusters)}::text[])))`);
  if (after) conditions.push(`(e.cluster_id, e.uid, e.day) > (${put(after.clusterId)}, ${put(after.uid)}, ${put(after.day)}::date)`);
  const found = await database.rows<Row & Record<string, unknown>>(
    `SELECT e.cluster_id, c.name AS cluster, c.provider, e.uid, to_char(e.day, 'YYYY-MM-DD') AS day, e.kind, e.namespace, e.name, e.container,
       e.reason, e.type, e.reporter, e.host, e.message, e.count, ${ms('e.first_at')} AS first_at, ${ms('e.last_at')} AS last_at,
       e.problem_id, COALESCE(i.status <> 'resolved', false) AS open, i.subject_key, i.subject_kind, i.subject_namespace, i.subject_name
     FROM (SELECT * FROM event e WHERE ${conditions.join(' AND ')} ORDER BY e.cluster_id, e.uid, e.day LIMIT ${put(limit)}) e
       JOIN cluster c ON c.id = e.cluster_id LEFT JOIN incident i ON i.id = e.incident_id
     ORDER BY e.cluster_id, e.uid, e.day`,
    ...params,
  );
  return found.map((row) => ({
    clusterId: row.cluster_id,
    cluster: row.cluster,
    provider: row.provider,
    uid: row.uid,
    day: row.day,
    event: eventOf(row),
    problemId: row.problem_id,
    incidentOpen: row.open,
    subject:
      row.subject_key === null
        ? null
        : { key: row.subject_key, kind: row.subject_kind, namespace: row.subject_namespace, name: row.subject_name },
  }));
}

function eventOf({
  uid,
  reason,
  type,
  reporter,
  host,
  message,
  count,
  kind,
  namespace,
  name,
  container,
  first_at,
  last_at,
}: Row): ClusterEvent {
  const object = { kind, namespace, name, uid: '', container };
  return { uid, reason, type, reporter, host, message, count, object, firstAt: first_at, lastAt: last_at, timed: true };
}

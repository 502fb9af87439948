import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** An object whose workload became known only now: it leaves one incident for another of the same problem. */
export interface Move {
  from: string;
  to: string;
  kind: string;
  namespace: string;
  name: string;
}

/**
 * Completes moves after the affected rows point to their new incident: events follow, counters of both incidents are made
 * anew from their objects, and an incident that was left empty gives its diagnosis away and goes. Rare: it happens
 * once per object, when a sender that knows owners is heard after one that does not.
 */
export async function completeMoves(connection: Connection, clusterId: number, moves: readonly Move[]): Promise<void> {
  const list = JSON.stringify(moves);
  const record = `json_to_recordset($1::json) AS n("from" uuid, "to" uuid, kind text, namespace text, name text)`;
  await rows(
    connection,
    `UPDATE event e SET incident_id = n."to" FROM ${record}
     WHERE e.incident_id = n."from" AND e.cluster_id = $2 AND e.kind = n.kind AND e.namespace = n.namespace AND e.name = n.name`,
    list,
    clusterId,
  );
  await rows(
    connection,
    `UPDATE incident i SET diagnosis = o.diagnosis, diagnosis_order = o.diagnosis_order
     FROM ${record} JOIN incident o ON o.id = n."from"
     WHERE i.id = n."to" AND o.diagnosis_order > i.diagnosis_order`,
    list,
  );
  await rows(
    connection,
    // Objects that were forgotten stay counted, and what was seen of them stays the first and the last of the incident. One of which a
    // container was forgotten may have moved away with the others.
    `UPDATE incident i SET occurrences = i.forgotten_occurrences + s.occurrences,
       affected_count = GREATEST(i.forgotten_count + s.affected, (i.forgotten_until IS NOT NULL)::integer), open_count = s.open,
       status = CASE WHEN s.open = 0 THEN 'resolved' WHEN i.status = 'acknowledged' THEN 'acknowledged' ELSE 'open' END,
       first_seen_at = CASE WHEN i.forgotten_until IS NULL THEN s.first_at ELSE LEAST(i.first_seen_at, s.first_at) END,
       last_seen_at = CASE WHEN s.last_at > i.forgotten_until OR i.forgotten_until IS NULL THEN s.last_at ELSE LEAST(i.last_seen_at, i.forgotten_until) END
     FROM (SELECT m.id AS incident_id, COALESCE(sum(a.occurrences), 0) AS occurrences, count(DISTINCT a.object_key) AS affected,
             count(a.id) FILTER (WHERE a.ended_at IS NULL) AS open, min(a.first_at) AS first_at, max(a.last_at) AS last_at
           FROM (SELECT DISTINCT unnest(ARRAY[n."from", n."to"]) AS id FROM ${record}) m LEFT JOIN affected a ON a.incident_id = m.id GROUP BY m.id) s
     WHERE i.id = s.incident_id AND (s.affected > 0 OR i.forgotten_until IS NOT NULL)`,
    list,
  );
  await carryWork(connection, list, record);
  await dropEmptied(connection, list, record);
}

/** Deletes incidents that were left empty. What each was goes into its last change: nobody could be told of its end otherwise. */
async function dropEmptied(connection: Connection, list: string, record: string): Promise<void> {
  await rows(
    connection,
    `WITH gone AS (
       DELETE FROM incident i USING ${record}
       WHERE i.id = n."from" AND i.forgotten_until IS NULL AND NOT EXISTS (SELECT FROM affected a WHERE a.incident_id = i.id)
       RETURNING i AS was, n."to" AS merged_into
     ), told AS (
       INSERT INTO incident_change (incident_id, cluster_id, problem_id, namespace, kind, status_before, status, severity_before, severity, merged_into, gone)
       SELECT (g.was).id, (g.was).cluster_id, (g.was).problem_id, (g.was).subject_namespace, 'RESOLVED', (g.was).status, 'resolved',
         (g.was).severity, (g.was).severity, g.merged_into,
         to_jsonb(g.was) || CASE WHEN (g.was).status = 'resolved' THEN '{}'
           ELSE jsonb_build_object('status', 'resolved', 'resolved_at', clock_timestamp(), 'resolved_by', 'MERGED') END
       FROM gone g
       RETURNING 1
     )
     SELECT pg_notify('casebook_incident_change', '') FROM told LIMIT 1`,
    list,
  );
}

/** What people did with an incident that goes belongs to the one that takes its place. */
async function carryWork(connection: Connection, list: string, record: string): Promise<void> {
  await rows(
    connection,
    `WITH emptied AS (
       SELECT DISTINCT n."from", n."to" FROM ${record} JOIN incident l ON l.id = n."from"
       WHERE l.forgotten_until IS NULL AND NOT EXISTS (SELECT FROM affected a WHERE a.incident_id = n."from")
     ), moved AS (
       UPDATE incident_audit a SET incident_id = e."to" FROM emptied e WHERE a.incident_id = e."from"
     )
     UPDATE incident i SET version = GREATEST(i.version, o.version) + 1, assignee = COALESCE(i.assignee, o.assignee),
       acknowledged_at = COALESCE(i.acknowledged_at, o.acknowledged_at), acknowledged_by = COALESCE(i.acknowledged_by, o.acknowledged_by),
       status = CASE WHEN i.status = 'open' AND o.acknowledged_at >= (SELECT max(p.started_at) FROM episode p WHERE p.incident_id = i.id)
                     THEN 'acknowledged' ELSE i.status END
     FROM emptied e JOIN incident o ON o.id = e."from"
     WHERE i.id = e."to"`,
    list,
  );
}

import type { ClusterEvent } from '../../events/cluster-event.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** An Event on its way into the store: its newest delivery and where it belongs. */
export interface NewEvent {
  event: ClusterEvent;
  /** Day (UTC, `2026-11-20`) of the partition that holds it. */
  day: string;
  problemId: string | null;
  incidentId: string | null;
  affectedId: string | null;
  /** Row of the pattern that it is counted under. */
  patternId: string | null;
  /** How well this delivery knows the subject; see `Subject.rank`. */
  subjectRank: number;
}

const RECORD = `AS n(uid text, day date, count integer, "firstAt" float8, "lastAt" float8, "affectedId" bigint, "patternId" bigint, "subjectRank" smallint, "incidentId" uuid, "problemId" text,
  kind text, namespace text, name text, container text, reason text, type text, reporter text, host text, message text)`;

/** Keeps Events, one row each, as of the newest delivery. */
export async function upsertEvents(connection: Connection, clusterId: number, list: readonly NewEvent[]): Promise<void> {
  const values = JSON.stringify(
    // Written out: spreading objects of this size costs 7 KB of memory an event, a quarter of all that intake allocates.
    list.map(({ event, day, problemId, incidentId, affectedId, patternId, subjectRank }) => {
      const { kind, namespace, name, container } = event.object;
      const { uid, count, firstAt, lastAt, reason, type, reporter, host, message } = event;
      return {
        day,
        problemId,
        incidentId,
        affectedId,
        patternId,
        subjectRank,
        uid,
        count,
        firstAt,
        lastAt,
        reason,
        type,
        reporter,
        host,
        message,
        kind,
        namespace,
        name,
        container,
      };
    }),
  );
  await rows(
    connection,
    `WITH n AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) ${RECORD}),
     keys AS (
       INSERT INTO event_key (cluster_id, uid, day, count, first_at, last_at, affected_id, pattern_id, subject_rank)
       SELECT $1, n.uid, n.day, n.count, to_timestamp(n."firstAt" / 1000.0), to_timestamp(n."lastAt" / 1000.0), n."affectedId", n."patternId", n."subjectRank" FROM n
       ON CONFLICT (cluster_id, uid) DO UPDATE SET
         count = EXCLUDED.count, first_at = EXCLUDED.first_at, last_at = EXCLUDED.last_at, affected_id = EXCLUDED.affected_id, pattern_id = EXCLUDED.pattern_id,
         subject_rank = EXCLUDED.subject_rank
     )
     INSERT INTO event (day, cluster_id, uid, incident_id, problem_id, kind, namespace, name, container, reason, type, reporter, host, message,
       count, first_at, last_at)
     SELECT n.day, $1, n.uid, n."incidentId", n."problemId", n.kind, n.namespace, n.name, n.container, n.reason, n.type, n.reporter, n.host, n.message,
       n.count, to_timestamp(n."firstAt" / 1000.0), to_timestamp(n."lastAt" / 1000.0)
     FROM n
     ON CONFLICT (cluster_id, uid, day) DO UPDATE SET
       incident_id = EXCLUDED.incident_id, problem_id = EXCLUDED.problem_id, message = EXCLUDED.message, reason = EXCLUDED.reason, type = EXCLUDED.type,
       reporter = EXCLUDED.reporter, host = EXCLUDED.host, count = EXCLUDED.count, first_at = EXCLUDED.first_at, last_at = EXCLUDED.last_at`,
    clusterId,
    values,
  );
}

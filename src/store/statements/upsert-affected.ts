import type { Affected } from '../../incidents/affected.js';
import { affectedKey } from '../../incidents/affected.js';
import { quietDeadline } from '../../incidents/timeline.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Writes affected objects as they are now and returns the row id of each, by `affectedKey`. */
export async function upsertAffected(
  connection: Connection,
  clusterId: number,
  list: readonly (Affected & { incidentId: string })[],
): Promise<Map<string, string>> {
  // Written out for the same reason as in `upsertEvents`.
  const values = list.map(
    ({ incidentId, objectKey, container, problemId, kind, namespace, name, expects, occurrences, firstAt, current, ending, subject }) => {
      const { startedAt, lastAt, endedAt, resolution } = current;
      const { kind: subjectKind, rank: subjectRank } = subject;
      const { quiet: quietMs, settle: settleMs } = ending;
      const quietAt = quietDeadline(current, ending);
      return {
        incidentId,
        objectKey,
        container,
        problemId,
        kind,
        namespace,
        name,
        expects,
        occurrences,
        firstAt,
        startedAt,
        lastAt,
        endedAt,
        resolution,
        subjectKind,
        subjectRank,
        quietMs,
        settleMs,
        quietAt,
      };
    },
  );
  const written = await rows<{ id: string; object_key: string; container: string; problem_id: string }>(
    connection,
    `INSERT INTO affected AS a (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects,
       quiet_ms, settle_ms, occurrences, first_at, started_at, last_at, ended_at, resolution, quiet_at)
     SELECT $1, n."incidentId", n."objectKey", n.container, n."problemId", n.kind, n.namespace, n.name, n."subjectKind", n."subjectRank",
       n.expects, n."quietMs", n."settleMs", n.occurrences,
       to_timestamp(n."firstAt" / 1000.0), to_timestamp(n."startedAt" / 1000.0), to_timestamp(n."lastAt" / 1000.0),
       to_timestamp(n."endedAt" / 1000.0), n.resolution, to_timestamp(n."quietAt" / 1000.0)
     FROM json_to_recordset($2::json) AS n("incidentId" uuid, "objectKey" text, container text, "problemId" text, kind text, namespace text,
       name text, "subjectKind" text, "subjectRank" smallint, expects text[], "quietMs" bigint, "settleMs" bigint, occurrences bigint,
       "firstAt" float8, "startedAt" float8, "lastAt" float8, "endedAt" float8, resolution text, "quietAt" float8)
     ON CONFLICT (cluster_id, object_key, container, problem_id) DO UPDATE SET
       incident_id = EXCLUDED.incident_id, subject_kind = EXCLUDED.subject_kind, subject_rank = EXCLUDED.subject_rank, expects = EXCLUDED.expects,
       quiet_ms = EXCLUDED.quiet_ms, settle_ms = EXCLUDED.settle_ms, occurrences = EXCLUDED.occurrences, first_at = EXCLUDED.first_at,
       heard_on = CURRENT_DATE, started_at = EXCLUDED.started_at, last_at = EXCLUDED.last_at, ended_at = EXCLUDED.ended_at, resolution = EXCLUDED.resolution,
       quiet_at = EXCLUDED.quiet_at
     RETURNING a.id, a.object_key, a.container, a.problem_id`,
    clusterId,
    JSON.stringify(values),
  );
  return new Map(
    written.map((row) => [affectedKey({ objectKey: row.object_key, container: row.container, problemId: row.problem_id }), row.id]),
  );
}

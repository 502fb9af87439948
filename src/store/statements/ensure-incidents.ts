import type { Connection } from '../rows.js';
import { ms, rows } from '../rows.js';

/** What an incident is made of when it is first seen; counters start at zero. */
export interface NewIncident {
  problemId: string;
  provider: string;
  code: string | null;
  severity: string;
  subjectKey: string;
  subjectKind: string;
  subjectNamespace: string;
  subjectName: string;
  subjectRank: number;
  firstSeenAt: number;
  lastSeenAt: number;
  /** JSON of the diagnosis, and its place among the diagnoses of the incident: the greatest is shown. */
  diagnosis: unknown;
  diagnosisOrder: string;
}

/** An incident that exists. */
export interface EnsuredIncident {
  id: string;
  /** Up to when its history is final, because objects of it were forgotten, milliseconds since the epoch; null when none was. */
  forgottenUntil: number | null;
}

/** Creates the incidents that do not exist yet and returns each, keyed by `incidentKey`. */
export async function ensureIncidents(
  connection: Connection,
  clusterId: number,
  incidents: readonly NewIncident[],
): Promise<Map<string, EnsuredIncident>> {
  const ensured = await rows<{ id: string; problem_id: string; subject_key: string; forgotten_until: number | null }>(
    connection,
    // The update changes nothing; it only makes RETURNING speak of the rows that exist.
    `INSERT INTO incident (cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, code,
       severity, status, occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order)
     SELECT $1, n."problemId", n."subjectKey", n."subjectKind", n."subjectNamespace", n."subjectName", n."subjectRank", n.provider, n.code,
       n.severity, 'resolved', 0, 0, 0, to_timestamp(n."firstSeenAt" / 1000.0), to_timestamp(n."lastSeenAt" / 1000.0), n.diagnosis, n."diagnosisOrder"
     FROM json_to_recordset($2::json) AS n("problemId" text, "subjectKey" text, "subjectKind" text, "subjectNamespace" text, "subjectName" text,
       "subjectRank" smallint, provider text, code text, severity text, "firstSeenAt" float8, "lastSeenAt" float8, diagnosis jsonb, "diagnosisOrder" text)
     ON CONFLICT (cluster_id, problem_id, subject_key) DO UPDATE SET problem_id = EXCLUDED.problem_id
     RETURNING id, problem_id, subject_key, ${ms('forgotten_until')} AS forgotten_until`,
    clusterId,
    JSON.stringify(incidents),
  );
  return new Map(ensured.map((row) => [incidentKey(row.problem_id, row.subject_key), { id: row.id, forgottenUntil: row.forgotten_until }]));
}

/** Identity of an incident inside its cluster. */
export function incidentKey(problemId: string, subjectKey: string): string {
  return `${problemId}|${subjectKey}`;
}

import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** What a batch adds to an incident. */
export interface IncidentDelta {
  id: string;
  occurrences: number;
  affected: number;
  open: number;
  firstSeenAt: number | null;
  lastSeenAt: number | null;
  severity: string | null;
  subjectKind: string | null;
  subjectRank: number | null;
  diagnosis: unknown;
  diagnosisOrder: string | null;
}

/** Adds what a batch brought to its incidents. An acknowledged incident stays so until it ends. */
export async function updateIncidents(connection: Connection, deltas: readonly IncidentDelta[]): Promise<void> {
  await rows(
    connection,
    `UPDATE incident i SET
       occurrences = i.occurrences + d.occurrences,
       affected_count = i.affected_count + d.affected,
       open_count = i.open_count + d.open,
       status = CASE WHEN i.open_count + d.open = 0 THEN 'resolved' WHEN i.status = 'acknowledged' THEN 'acknowledged' ELSE 'open' END,
       first_seen_at = LEAST(i.first_seen_at, to_timestamp(d."firstSeenAt" / 1000.0)),
       last_seen_at = GREATEST(i.last_seen_at, to_timestamp(d."lastSeenAt" / 1000.0)),
       severity = COALESCE(d.severity, i.severity),
       subject_kind = CASE WHEN d."subjectRank" > i.subject_rank OR (d."subjectRank" = i.subject_rank AND d."subjectKind" COLLATE "C" < i.subject_kind COLLATE "C")
                           THEN d."subjectKind" ELSE i.subject_kind END,
       subject_rank = GREATEST(i.subject_rank, d."subjectRank"),
       diagnosis = CASE WHEN d."diagnosisOrder" COLLATE "C" > i.diagnosis_order THEN d.diagnosis ELSE i.diagnosis END,
       diagnosis_order = GREATEST(i.diagnosis_order, d."diagnosisOrder" COLLATE "C")
     FROM json_to_recordset($1::json) AS d(id uuid, occurrences bigint, affected integer, open integer, "firstSeenAt" float8, "lastSeenAt" float8,
       severity text, "subjectKind" text, "subjectRank" smallint, diagnosis jsonb, "diagnosisOrder" text)
     WHERE i.id = d.id`,
    JSON.stringify(deltas),
  );
}

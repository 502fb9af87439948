import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** What a person can do with an incident. */
export type WorkKind = 'ACKNOWLEDGED' | 'UNACKNOWLEDGED' | 'ASSIGNED' | 'COMMENTED' | 'RESOLVED' | 'REOPENED';

/** Who changed something: the id that does not change, and the name for people to read. */
export interface Actor {
  id: string;
  name: string;
}

/** The part of an incident that people change. */
export interface WorkState {
  status: string;
  acknowledgedBy: string | null;
  assignee: string | null;
}

/** One change by a person. */
export interface WorkEntry {
  incidentId: string;
  /** Milliseconds since the epoch. */
  at: number;
  kind: WorkKind;
  by: Actor;
  /** A comment, or the reason of the change. */
  note: string | null;
  before: WorkState;
  after: WorkState;
}

/** Writes a change down for ever, and counts it as a new version of its incident. Returns the version. */
export async function recordWork(connection: Connection, clusterId: number, entry: WorkEntry): Promise<number> {
  const { incidentId, at, kind, by, note, before, after } = entry;
  const [recorded] = await rows<{ version: number }>(
    connection,
    `WITH i AS (UPDATE incident SET version = version + 1 WHERE id = $2 RETURNING version)
     INSERT INTO incident_audit (incident_id, cluster_id, at, version, kind, by, by_id, note, before, after)
     SELECT $2, $1, to_timestamp($3::float8 / 1000.0), i.version, $4, $5, $6, $7, $8, $9 FROM i
     RETURNING version`,
    clusterId,
    incidentId,
    at,
    kind,
    by.name,
    by.id,
    note,
    JSON.stringify(before),
    JSON.stringify(after),
  );
  return recorded!.version;
}

/** Finds what people did with an incident after one of its versions, in order, at most `limit`. */
export async function findWorkSince(
  connection: Connection,
  incidentId: string,
  version: number,
  limit: number,
): Promise<{ kind: WorkKind; by: string; at: Date }[]> {
  return rows(
    connection,
    'SELECT a.kind, a.by, a.at FROM incident_audit a WHERE a.incident_id = $1 AND a.version > $2 ORDER BY a.at DESC, a.id DESC LIMIT $3',
    incidentId,
    version,
    limit,
  );
}

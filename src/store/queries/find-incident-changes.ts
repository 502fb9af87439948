import type { ChangePosition } from '../change-position.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';

/** One change of an incident, as it was written with the change. */
export interface IncidentChange {
  position: ChangePosition;
  /** By the database's clock, milliseconds since the epoch. */
  at: number;
  incidentId: string;
  clusterId: number;
  problemId: string;
  /** Namespace of the incident's subject; empty for none. */
  namespace: string;
  /** OPENED, REOPENED, RESOLVED, ACKNOWLEDGED, UPDATED, or what a person did, such as ASSIGNED. */
  kind: string;
  /** Null when the incident did not exist before. */
  statusBefore: string | null;
  status: string;
  /** Null when the incident did not exist before. */
  severityBefore: string | null;
  severity: string;
}

/** Changes in order, and how far the reader has come with them. */
export interface ChangeBatch {
  changes: IncidentChange[];
  /** Everything up to here has been read, once the batch is dealt with. */
  end: ChangePosition;
  /** Whether more can be read at once. */
  more: boolean;
  /** Whether changes are committed that may be read only when an older transaction has ended. */
  waiting: boolean;
}

/** The changes after a position are not all kept any more, or the position is of another database. */
export class ChangesExpiredError extends Error {
  readonly code = 'CURSOR_EXPIRED';
  constructor() {
    super('The changes after this cursor are not kept any more: read the list again, and go on from a new cursor.');
  }
}

interface Row {
  xid: string;
  seq: string;
  at: number;
  incident_id: string;
  cluster_id: number;
  problem_id: string;
  namespace: string;
  kind: string;
  status_before: string | null;
  status: string;
  severity_before: string | null;
  severity: string;
}

/** Position of now: every change that is committed later comes after it, and no other. */
export async function findLatestPosition(database: Pick<Database, 'rows'>): Promise<ChangePosition> {
  const [row] = await database.rows<{ xid: string }>(`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid`);
  return { xid: row!.xid, seq: '0' };
}

/**
 * Finds the changes after a position, at most `limit`. Only those of transactions older than every running one: nothing can
 * be committed before them any more. What is from the future came with a dump of another server, whose numbers mean nothing here.
 *
 * @throws ChangesExpiredError when some of them have been dropped
 */
export async function findIncidentChanges(database: Pick<Database, 'rows'>, after: ChangePosition, limit: number): Promise<ChangeBatch> {
  // One row says how things stand, in the same snapshot as the changes beside it.
  const found = await database.rows<
    { [Column in keyof Row]: Row[Column] | null } & { horizon: string; expired: boolean; waiting: boolean }
  >(
    `WITH s AS (
       SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon,
         EXISTS (SELECT FROM incident_change_dropped d WHERE (d.xid, d.seq) > ($1::xid8, $2::bigint) AND d.xid < pg_snapshot_xmax(pg_current_snapshot()))
           OR $1::xid8 > pg_snapshot_xmax(pg_current_snapshot()) AS expired,
         EXISTS (SELECT FROM incident_change c
                 WHERE c.xid >= pg_snapshot_xmin(pg_current_snapshot()) AND c.xid < pg_snapshot_xmax(pg_current_snapshot())) AS waiting
     )
     SELECT s.horizon::text AS horizon, s.expired, s.waiting, c.xid::text AS xid, c.seq::text AS seq, ${ms('c.at')} AS at, c.incident_id,
       c.cluster_id, c.problem_id, c.namespace, c.kind, c.status_before, c.status, c.severity_before, c.severity
     FROM s LEFT JOIN (
       SELECT * FROM incident_change c
       WHERE (c.xid, c.seq) > ($1::xid8, $2::bigint) AND c.xid < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY c.xid, c.seq LIMIT $3
     ) c ON true
     ORDER BY c.xid, c.seq`,
    after.xid,
    after.seq,
    limit,
  );
  const { horizon, expired, waiting } = found[0]!;
  if (expired) throw new ChangesExpiredError();
  const changes = found.filter((row): row is typeof row & Row => row.xid !== null).map(toChange);
  const more = changes.length === limit;
  return { changes, more, waiting, end: more ? changes.at(-1)!.position : { xid: horizon, seq: '0' } };
}

function toChange(row: Row): IncidentChange {
  return {
    position: { xid: row.xid, seq: row.seq },
    at: row.at,
    incidentId: row.incident_id,
    clusterId: row.cluster_id,
    problemId: row.problem_id,
    namespace: row.namespace,
    kind: row.kind,
    statusBefore: row.status_before,
    status: row.status,
    severityBefore: row.severity_before,
    severity: row.severity,
  };
}

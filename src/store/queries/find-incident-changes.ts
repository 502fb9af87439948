import type { ChangePosition } from '../change-position.js';
import { comparePositions } from '../change-position.js';
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
  /** The incident that this one went into, which is its last change; else null. */
  mergedInto: string | null;
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

/** The changes after a position are not all kept any more, or the position is of another database, or of what a backup has undone. */
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
  merged_into: string | null;
}

/**
 * The oldest transaction that may still write changes, as of the snapshot of the statement: all before it have ended. What runs in another database
 * of the server writes none here. It is known by the lock that each transaction holds on its own number, which is read after the
 * snapshot is taken: what has ended meanwhile counts as ours, and is waited for once more.
 */
const HORIZON = `COALESCE(
  (SELECT x FROM pg_snapshot_xip(pg_current_snapshot()) AS x
   WHERE x::xid NOT IN (
     SELECT l.transactionid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_database d ON d.oid = a.datid
     WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND d.datname <> current_database()
   )
   ORDER BY x LIMIT 1),
  pg_snapshot_xmax(pg_current_snapshot()))`;

const EPOCH = '(SELECT e.id FROM incident_change_epoch e ORDER BY e.seq DESC LIMIT 1)';

/** Position of now: every change that is committed later comes after it, and no other. */
export async function findLatestPosition(database: Pick<Database, 'rows'>): Promise<ChangePosition> {
  const [row] = await database.rows<{ xid: string; epoch: string | null }>(`SELECT (${HORIZON})::text AS xid, ${EPOCH} AS epoch`);
  return { xid: row!.xid, seq: '0', epoch: row!.epoch ?? undefined };
}

/**
 * Finds the changes after a position, at most `limit`. Only those of transactions older than every running one of this database:
 * nothing can be committed before them any more. What is from the future came with a dump of another server, whose numbers mean nothing here.
 * A position that is further than an epoch it does not know of is of what was lost: that epoch would have begun before it.
 *
 * @throws ChangesExpiredError when some of them have been dropped, or the position is of what a backup has undone
 */
export async function findIncidentChanges(database: Pick<Database, 'rows'>, after: ChangePosition, limit: number): Promise<ChangeBatch> {
  // One row says how things stand, in the same snapshot as the changes beside it.
  const found = await database.rows<
    { [Column in keyof Row]: Row[Column] | null } & { horizon: string; epoch: string | null; expired: boolean; waiting: boolean }
  >(
    `WITH h AS MATERIALIZED (SELECT ${HORIZON} AS horizon),
     s AS (
       SELECT h.horizon, ${EPOCH} AS epoch,
         EXISTS (SELECT FROM incident_change_dropped d WHERE (d.xid, d.seq) > ($1::xid8, $2::bigint) AND d.xid < pg_snapshot_xmax(pg_current_snapshot()))
           OR $1::xid8 > pg_snapshot_xmax(pg_current_snapshot())
           OR ($4::text IS NOT NULL AND NOT EXISTS (SELECT FROM incident_change_epoch e WHERE e.id = $4))
           OR EXISTS (SELECT FROM incident_change_epoch e JOIN incident_change_epoch later ON later.seq > e.seq
                      WHERE e.id = $4 AND (later.xid < $1::xid8 OR later.server <> e.server)) AS expired,
         EXISTS (SELECT FROM incident_change c
                 WHERE c.xid >= h.horizon AND c.xid < pg_snapshot_xmax(pg_current_snapshot())) AS waiting
       FROM h
     )
     SELECT s.horizon::text AS horizon, s.epoch, s.expired, s.waiting, c.xid::text AS xid, c.seq::text AS seq, ${ms('c.at')} AS at, c.incident_id,
       c.cluster_id, c.problem_id, c.namespace, c.kind, c.status_before, c.status, c.severity_before, c.severity, c.merged_into
     FROM s LEFT JOIN (
       SELECT * FROM incident_change c
       WHERE (c.xid, c.seq) > ($1::xid8, $2::bigint) AND c.xid < (SELECT h.horizon FROM h)
       ORDER BY c.xid, c.seq LIMIT $3
     ) c ON true
     ORDER BY c.xid, c.seq`,
    after.xid,
    after.seq,
    limit,
    after.epoch ?? null,
  );
  const { horizon, expired, waiting } = found[0]!;
  if (expired) throw new ChangesExpiredError();
  const epoch = found[0]!.epoch ?? undefined;
  const changes = found.filter((row): row is typeof row & Row => row.xid !== null).map((row) => toChange(row, epoch));
  const more = changes.length === limit;
  // What was known to be of another database may have ended while we looked, and then counts as ours: nobody goes back for that.
  const reached = { xid: horizon, seq: '0', epoch };
  const end = more ? changes.at(-1)!.position : comparePositions(reached, after) < 0 ? { ...after, epoch } : reached;
  return { changes, more, waiting, end };
}

function toChange(row: Row, epoch: string | undefined): IncidentChange {
  return {
    position: { xid: row.xid, seq: row.seq, epoch },
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
    mergedInto: row.merged_into,
  };
}

import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { keepUntoldMerges } from './statements/keep-untold-merges.js';
import { noteDroppedChanges } from './statements/note-dropped-changes.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/**
 * Tables of raw data, divided by the day; what no day fits lies in `<table>_other`, and is old when all of `age` is. An Event
 * that outlives its day's partition goes on there.
 */
const TABLES = [
  { table: 'event', column: 'day', age: ['day', 'last_at'] },
  { table: 'sighting', column: 'at', age: ['at'] },
  { table: 'signal', column: 'at', age: ['at'] },
  { table: 'incident_change', column: 'at', age: ['at'] },
] as const;

const DAYS_AHEAD = 7;
const CHANGE_DAYS = 7;
const CHUNK = 10_000;

/** What a run of retention did. */
export interface RetentionResult {
  created: string[];
  dropped: string[];
  /** Rows deleted one by one, because they lay in no day's partition. */
  deleted: number;
}

/** The days for which a table has a partition. Times in milliseconds since the epoch, null when there is none. */
export interface PartitionState {
  table: string;
  days: number;
  from: number | null;
  until: number | null;
}

/** Keeps raw data in partitions by the day and drops what is too old. Incidents, episodes and roll-ups stay. */
@Injectable()
export class PartitionRepository {
  constructor(private readonly database: Database) {}

  /** The partitions there are, by what the catalogue of the database says: no data is read. */
  async state(): Promise<PartitionState[]> {
    const found = await this.database.rows<{ parent: string; count: number; first: number | null; last: number | null }>(
      `SELECT p.relname AS parent, count(*)::integer AS count, min(d.day)::float8 AS first, max(d.day)::float8 + 86400000 AS last
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent,
         LATERAL (SELECT extract(epoch FROM to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp) * 1000 AS day) d
       WHERE i.inhparent = ANY($1::regclass[]) AND c.relname ~ '_[0-9]{8}$' GROUP BY p.relname`,
      TABLES.map(({ table }) => table),
    );
    const byTable = new Map(found.map((row) => [row.parent, row]));
    return TABLES.map(({ table }) => {
      const { count = 0, first = null, last = null } = byTable.get(table) ?? {};
      return { table, days: count, from: first, until: last };
    });
  }

  /** Size of the database with everything in it, in bytes. */
  async size(): Promise<number> {
    const [row] = await this.database.rows<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes');
    return row!.bytes;
  }

  /**
   * Creates the partitions of the days to come and drops raw data older than `retentionDays`, and changes of incidents older than
   * `changeDays`, but not those by which a merge is still to be told, by the database's clock or `now`. Returns undefined when another
   * process is at it. Fails when a table is in use for long; the next run goes on.
   */
  async maintain(retentionDays: number, now: Date | null = null, changeDays: number = CHANGE_DAYS): Promise<RetentionResult | undefined> {
    return this.database.session(async (connection) => {
      const [lock] = await rows<{ taken: boolean }>(connection, 'SELECT pg_try_advisory_lock($1) AS taken', ADVISORY_LOCKS.partitions);
      if (!lock!.taken) return undefined;
      try {
        // Whoever waits for a whole table makes everybody after it wait too: intake would stand behind us behind a long reader.
        await rows(connection, `SELECT set_config('lock_timeout', '1s', false)`);
        const [clock] = await rows<{ today: string; cutoff: string }>(
          connection,
          `SELECT to_char(t.today, 'YYYY-MM-DD') AS today, to_char(t.today - $2::integer, 'YYYY-MM-DD') AS cutoff
           FROM (SELECT (COALESCE($1::timestamptz, now()) AT TIME ZONE 'UTC')::date AS today) t`,
          now,
          retentionDays,
        );
        const { today, cutoff } = clock!;
        const result: RetentionResult = { created: [], dropped: [], deleted: 0 };
        for (const { table } of TABLES) await createAhead(connection, table, today, result);
        const cutoffOfChanges = dayAfter(today, -changeDays);
        await noteDroppedChanges(connection, cutoffOfChanges);
        await keepUntoldMerges(connection, cutoffOfChanges, today);
        for (const { table, age } of TABLES) {
          await dropOld(connection, table, age, table === 'incident_change' ? cutoffOfChanges : cutoff, result);
        }
        // What has just been heard is remembered for as long, even if it happened long ago: its repeats have to be known.
        result.deleted += await deleteInChunks(connection, 'event_key', ['last_at', 'day'], cutoff);
        return result;
      } finally {
        await rows(connection, `SELECT pg_advisory_unlock($1), set_config('lock_timeout', '0', false)`, ADVISORY_LOCKS.partitions);
      }
    });
  }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function partitionOf(table: string, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`;
}

async function partitions(connection: Connection, table: string): Promise<Set<string>> {
  const found = await rows<{ name: string }>(
    connection,
    'SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass',
    table,
  );
  return new Set(found.map((row) => row.name));
}

async function createAhead(connection: Connection, table: string, today: string, result: RetentionResult): Promise<void> {
  const existing = await partitions(connection, table);
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    const day = dayAfter(today, ahead);
    const name = partitionOf(table, day);
    if (existing.has(name)) continue;
    if (await takenByOther(connection, table, day)) continue;
    // An ISO day is read as midnight UTC for both column types.
    await rows(
      connection,
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES FROM ('${day} 00:00:00+00') TO ('${dayAfter(day, 1)} 00:00:00+00')`,
    );
    result.created.push(name);
  }
}

/** Rows of a day that had no partition yet lie in `_other`; that day then stays there. */
async function takenByOther(connection: Connection, table: string, day: string): Promise<boolean> {
  const { column } = TABLES.find((entry) => entry.table === table)!;
  const found = await rows(
    connection,
    `SELECT 1 FROM ${table}_other WHERE ${column} >= '${day} 00:00:00+00' AND ${column} < '${dayAfter(day, 1)} 00:00:00+00' LIMIT 1`,
  );
  return found.length > 0;
}

async function dropOld(
  connection: Connection,
  table: string,
  age: readonly string[],
  cutoff: string,
  result: RetentionResult,
): Promise<void> {
  const oldest = partitionOf(table, cutoff);
  for (const name of await partitions(connection, table)) {
    if (!/_\d{8}$/.test(name) || name >= oldest) continue;
    await rows(connection, `DROP TABLE IF EXISTS ${name}`);
    result.dropped.push(name);
  }
  result.deleted += await deleteInChunks(connection, `${table}_other`, age, cutoff);
}

/** Deletes in portions, so that no long transaction stands in the way of intake. */
async function deleteInChunks(connection: Connection, table: string, age: readonly string[], cutoff: string): Promise<number> {
  const isOld = age.map((column) => `${column} < '${cutoff} 00:00:00+00'`).join(' AND ');
  let total = 0;
  for (;;) {
    const deleted = await connection.query(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${isOld} LIMIT ${CHUNK}))`,
    );
    total += deleted.rowCount ?? 0;
    if ((deleted.rowCount ?? 0) < CHUNK) return total;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { MigrationError, planMigrations, type Migration, type MigrationRecord } from './migration-plan.js';

/** The lock that Prisma's own migrations take, so that its CLI and a starting service wait for each other. */
const PRISMA_LOCK = 72_707_369;
const LOCK_TIMEOUT_MS = 60_000;
/**
 * A migration waits at most so long for a table that is in use: whoever waits for a whole table makes everybody after it wait too, and
 * processes of the version before would stand still behind a long reader. It is tried again after a pause, for as long as for the lock above.
 */
const TABLE_TIMEOUT_MS = 1_000;
const PAUSE_MS = 500;

/** As Prisma creates it, column for column: see docs/decisions/0001-apply-migrations-ourselves.md. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/** What a run did. */
export interface MigrationResult {
  /** Names of the migrations that this run applied, oldest first; empty when the database was up to date. */
  applied: string[];
}

/**
 * Brings a database to this version: applies the migrations of `directory` that it does not have, each in one
 * transaction. Processes that start at the same moment wait for each other, and the later ones find nothing to do.
 *
 * @param directory folder of `YYYYMMDDHHMMSS_name/migration.sql` folders
 * @throws MigrationError with a code and a message that names the migration; pg's own errors when the database is away
 */
export async function migrate(databaseUrl: string, directory: string): Promise<MigrationResult> {
  const known = await readMigrations(directory);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'casebook-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeLock(client);
    await client.query(CREATE_TABLE);
    const { rows } = await client.query<MigrationRecord>(
      'SELECT migration_name, checksum, finished_at, rolled_back_at, logs FROM _prisma_migrations',
    );
    const applied: string[] = [];
    for (const migration of planMigrations(known, rows)) {
      for (const deadline = performance.now() + LOCK_TIMEOUT_MS; !(await apply(client, migration, performance.now() > deadline));) {
        await delay(PAUSE_MS);
      }
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    // ends the session, and the lock with it
    await client.end();
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    folders.map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      const unix = sql.replaceAll('\r\n', '\n');
      return { name, sql, checksums: [sql, unix, unix.replaceAll('\n', '\r\n')].map(sha256) };
    }),
  );
}

async function takeLock(client: pg.Client): Promise<void> {
  try {
    // A limit that the role gives to a query is not meant for a wait or a migration.
    await client.query(
      `SET statement_timeout = 0; SET lock_timeout = ${LOCK_TIMEOUT_MS}; SELECT pg_advisory_lock(${PRISMA_LOCK}); SET lock_timeout = ${TABLE_TIMEOUT_MS}`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new MigrationError('MIGRATION_LOCKED', `Another process has been migrating this database for ${LOCK_TIMEOUT_MS / 1000} s.`, {
      cause: error,
    });
  }
}

/** Applies a migration; false when a table that it needs is in use for long, unless this is the `last` try. */
async function apply(client: pg.Client, migration: Migration, last: boolean): Promise<boolean> {
  const record = { id: randomUUID(), checksum: migration.checksums[0], name: migration.name };
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', Object.values(record));
    await client.query(migration.sql);
    const { rowCount } = await client.query(
      // xmin is this transaction's id: a COMMIT inside the file would show here
      `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1
        WHERE id = $1 AND xmin::text = (pg_current_xact_id()::xid)::text`,
      [record.id],
    );
    if (rowCount !== 1) throw new Error('the file ends the transaction it runs in; leave BEGIN and COMMIT out');
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if ((error as { code?: string }).code === '55P03' && !last) return false;
    const message = describe(error, migration.sql);
    await client
      .query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, rolled_back_at) VALUES ($1, $2, $3, $4, now())
         ON CONFLICT (id) DO NOTHING`,
        [...Object.values(record), message],
      )
      .catch(() => undefined);
    throw new MigrationError('MIGRATION_FAILED', `Migration prisma/migrations/${migration.name}/migration.sql failed: ${message}`, {
      cause: error,
    });
  }
}

function describe(error: unknown, sql: string): string {
  const { message, detail, hint, position } = error as pg.DatabaseError;
  const line = position ? `line ${sql.slice(0, Number(position) - 1).split('\n').length}: ` : '';
  return [`${line}${message}`, detail, hint].filter(Boolean).join('. ');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

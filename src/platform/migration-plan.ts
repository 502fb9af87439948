/** One migration of this version of Casebook: a folder below `prisma/migrations`. */
export interface Migration {
  /** Name of the folder, `YYYYMMDDHHMMSS_verb_object`. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, first as it is, then with the other line endings: a checkout may have changed them. */
  checksums: readonly string[];
}

/** One row of Prisma's table `_prisma_migrations`. */
export interface MigrationRecord {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
  logs: string | null;
}

/** Why a database cannot be brought to this version. */
export type MigrationRefusal = 'DATABASE_NEWER' | 'MIGRATION_EDITED' | 'MIGRATION_UNFINISHED' | 'MIGRATION_FAILED' | 'MIGRATION_LOCKED';

/** The database cannot be migrated; nothing of the refused migration has been applied. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly code: MigrationRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Says which migrations are still to be applied, oldest first.
 *
 * @throws MigrationError when the database is newer than this code, when an applied file was edited since, or when the
 * Prisma CLI left a migration half applied.
 */
export function planMigrations(known: readonly Migration[], records: readonly MigrationRecord[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  const live = records.filter((record) => record.rolled_back_at === null);
  const unfinished = live.find((record) => record.finished_at === null);
  if (unfinished) {
    throw new MigrationError(
      'MIGRATION_UNFINISHED',
      `Migration ${unfinished.migration_name} was started by another tool and did not finish${unfinished.logs ? `: ${unfinished.logs}` : ''}. ` +
        'Repair the database, then mark it with prisma migrate resolve.',
    );
  }
  const unknown = live.map((record) => record.migration_name).filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      'DATABASE_NEWER',
      `The database is newer than this version of Casebook: it has ${unknown.join(', ')}. Start the newer version, or restore a backup.`,
    );
  }
  const edited = live.find((record) => !byName.get(record.migration_name)?.checksums.includes(record.checksum));
  if (edited) {
    throw new MigrationError(
      'MIGRATION_EDITED',
      `prisma/migrations/${edited.migration_name}/migration.sql was edited after it had been applied. Undo the edit, and put the change in a new migration.`,
    );
  }
  const applied = new Set(live.map((record) => record.migration_name));
  return known.filter((migration) => !applied.has(migration.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

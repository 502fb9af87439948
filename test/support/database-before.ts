import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/migrate.service.js';
import { createTestDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

/** A database as it was before some migration. */
export interface DatabaseBefore extends TestDatabase {
  /** Applies one migration more. */
  apply(migration: string): Promise<void>;
}

/** Makes a database with all migrations that come before one. Call it in `beforeAll`, and `drop` in `afterAll`. */
export async function createDatabaseBefore(migration: string): Promise<DatabaseBefore> {
  const database = await createTestDatabase({ template: 'template1' });
  const folder = await mkdtemp(join(tmpdir(), 'casebook-migrations-'));
  const add = async (name: string): Promise<void> => cp(join('prisma/migrations', name), join(folder, name), { recursive: true });
  for (const name of await readdir('prisma/migrations')) if (/^\d/.test(name) && name < migration) await add(name);
  await migrate(database.url, folder);
  return {
    ...database,
    async apply(name) {
      await add(name);
      await migrate(database.url, folder);
    },
    async drop() {
      await rm(folder, { recursive: true });
      await database.drop();
    },
  };
}

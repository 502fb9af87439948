import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

const CLOSE_TIMEOUT_MS = 2_000;

/** A database of one's own, with all migrations applied. */
export interface TestDatabase {
  url: string;
  /** Pool on the database; closed by `drop`. */
  pool: pg.Pool;
  /**
   * Drops the database.
   *
   * @throws Error when anything but `pool` is still connected: the code under test leaks connections.
   */
  drop(): Promise<void>;
}

/** Options of a test database. */
export interface TestDatabaseOptions {
  /** Database to clone; `template1` gives one without Casebook's tables. Default: the migrated template. */
  template?: string;
}

/** Clones the template for one test file: call it in `beforeAll`, and `drop` in `afterAll`. Takes about 30 ms. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const template = options.template ?? inject('postgresTemplate');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  const pool = new pg.Pool({ connectionString: url, max: 5, application_name: 'test-pool' });
  return {
    url,
    pool,
    async drop() {
      if (!pool.ended) await pool.end();
      const leaks = await withAdmin(async (admin) => {
        const left = await openConnections(admin, name);
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        return left;
      });
      if (leaks.length > 0) throw new Error(`${leaks.length} connections were left open: ${leaks.join('; ')}`);
    },
  };
}

/** What is still connected once closed connections had the time to go: a server process ends shortly after its client. */
async function openConnections(admin: pg.Client, database: string): Promise<string[]> {
  for (const deadline = performance.now() + CLOSE_TIMEOUT_MS; ; await admin.query('SELECT pg_sleep(0.01)')) {
    const { rows } = await admin.query<{ application_name: string; query: string }>(
      `SELECT application_name, query FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [database],
    );
    if (rows.length === 0 || performance.now() > deadline) return rows.map((row) => `${row.application_name || 'unnamed'} (${row.query})`);
  }
}

async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl'), application_name: 'test-admin' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

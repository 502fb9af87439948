import { vi } from 'vitest';
import { Database, ReadsBusyError } from '../../src/store/database.service.js';
import type { TestCasebook } from './start-casebook.js';

/**
 * Has all connections for reading taken by others as soon as one more change of an incident is written down. Gives the function that
 * ends it.
 */
export async function busyOnceChanged({ app, database }: TestCasebook): Promise<() => void> {
  const count = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>('SELECT count(*)::integer AS n FROM incident_audit')).rows[0]!.n;
  const before = await count();
  const { reads } = app.get(Database);
  const rows = reads.rows.bind(reads);
  const busy = vi.spyOn(reads, 'rows').mockImplementation(async (sql, ...params) => {
    if ((await count()) > before) throw new ReadsBusyError('other questions are being answered');
    return rows(sql, ...params);
  });
  return () => busy.mockRestore();
}

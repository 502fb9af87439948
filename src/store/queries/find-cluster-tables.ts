import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Finds every table (of a divided one its parts) that holds rows of clusters by a column cluster_id, so that a removal cannot
 * forget one that was added later. Rows that others refer to come last: affected objects before their incidents.
 */
export async function findClusterTables(connection: Connection): Promise<string[]> {
  const found = await rows<{ name: string }>(
    connection,
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'cluster_id' AND NOT a.attisdropped
     ORDER BY c.relname = 'incident', c.relname = 'affected', c.relname`,
  );
  return found.map(({ name }) => name);
}

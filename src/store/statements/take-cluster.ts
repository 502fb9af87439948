import { ClusterRemovingError, ClusterUnknownError } from '../cluster-errors.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Takes a cluster's row by its name for the rest of a transaction that changes what belongs to its registration, so that two such
 * changes follow each other. Returns its id.
 *
 * @throws ClusterUnknownError, or ClusterRemovingError when it is being removed
 */
export async function takeCluster(connection: Connection, name: string): Promise<number> {
  // Whoever is being removed is not waited for: a removal holds the row during each of its steps.
  const [taken] = await rows<{ id: number }>(
    connection,
    'SELECT c.id FROM cluster c WHERE c.name = $1 AND c.removing_at IS NULL FOR NO KEY UPDATE',
    name,
  );
  if (taken) return taken.id;
  const known = await rows(connection, 'SELECT 1 FROM cluster c WHERE c.name = $1', name);
  throw known.length > 0 ? new ClusterRemovingError(name) : new ClusterUnknownError(name);
}

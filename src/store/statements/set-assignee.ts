import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** Says who works on an incident; null for nobody. */
export async function setAssignee(connection: Connection, incidentId: string, assignee: string | null): Promise<void> {
  await rows(connection, 'UPDATE incident SET assignee = $2 WHERE id = $1', incidentId, assignee);
}

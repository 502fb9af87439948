import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/** What an incident says about its problem. */
export interface IncidentHead {
  provider: string;
  code: string | null;
  severity: string;
  diagnosis: unknown;
  diagnosisOrder: string;
}

/** Finds what incidents say about their problem, by id. */
export async function findIncidentHeads(connection: Connection, ids: readonly string[]): Promise<Map<string, IncidentHead>> {
  const found = await rows<IncidentHead & { id: string }>(
    connection,
    `SELECT id, provider, code, severity, diagnosis, diagnosis_order AS "diagnosisOrder" FROM incident WHERE id = ANY($1::uuid[])`,
    ids,
  );
  return new Map(found.map(({ id, ...head }) => [id, head]));
}

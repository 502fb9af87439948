import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import type { IncidentRecord, IncidentRow } from './incident-columns.js';
import { INCIDENT_COLUMNS, toIncident } from './incident-columns.js';
import type { IncidentFilter } from './incident-where.js';
import { incidentWhere } from './incident-where.js';

/** Tells which of some incidents a filter lists to a caller of a scope. */
export async function matchIncidents(
  database: Pick<Database, 'rows'>,
  ids: readonly string[],
  filter: IncidentFilter,
  scope: Scope,
): Promise<Set<string>> {
  const { sql, params } = incidentWhere(filter, scope);
  const put = (value: unknown): string => `$${params.push(value)}`;
  const found = await database.rows<{ id: string }>(
    `SELECT i.id FROM incident i WHERE i.id = ANY(${put(ids)}::uuid[]) AND (${sql})`,
    ...params,
  );
  return new Set(found.map(({ id }) => id));
}

/** Reads incidents that are known to be within the caller's scope, by their ids; one that is gone is left out. */
export async function readIncidents(database: Pick<Database, 'rows'>, ids: readonly string[]): Promise<Map<string, IncidentRecord>> {
  const found = await database.rows<IncidentRow>(`SELECT ${INCIDENT_COLUMNS} FROM incident i WHERE i.id = ANY($1::uuid[])`, ids);
  return new Map(found.map((row) => [row.id, toIncident(row)]));
}

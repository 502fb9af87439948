import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import type { IncidentRecord, IncidentRow } from './incident-columns.js';
import { INCIDENT_COLUMNS, toIncident } from './incident-columns.js';
import type { IncidentFilter } from './incident-where.js';
import { incidentWhere } from './incident-where.js';

/** An incident, or what one was that went into another. */
export interface IncidentOrGone extends IncidentRecord {
  /** The incident that it went into; else null. */
  mergedInto: string | null;
}

/**
 * Incidents of some ids (an array as SQL), as `incident i`. One that went into another is what it was then, as long as its last
 * change is kept, and has its id as `merged_into`.
 */
export function incidentsOrGone(ids: string): string {
  return `(SELECT *, NULL::uuid AS merged_into FROM incident WHERE id = ANY(${ids})
     UNION ALL
     SELECT g.*, c.merged_into FROM incident_change c CROSS JOIN LATERAL jsonb_populate_record(NULL::incident, c.gone) g
     WHERE c.gone IS NOT NULL AND c.incident_id = ANY(${ids})) i`;
}

/** Tells which of some incidents a filter lists to a caller of a scope. */
export async function matchIncidents(
  database: Pick<Database, 'rows'>,
  ids: readonly string[],
  filter: IncidentFilter,
  scope: Scope,
): Promise<Set<string>> {
  const { sql, params } = incidentWhere(filter, scope);
  const put = (value: unknown): string => `$${params.push(value)}`;
  const found = await database.rows<{ id: string }>(`SELECT i.id FROM ${incidentsOrGone(`${put(ids)}::uuid[]`)} WHERE ${sql}`, ...params);
  return new Set(found.map(({ id }) => id));
}

/** Reads incidents that are known to be within the caller's scope, by their ids; one that is forgotten is left out. */
export async function readIncidents(database: Pick<Database, 'rows'>, ids: readonly string[]): Promise<Map<string, IncidentOrGone>> {
  const found = await database.rows<IncidentRow & { merged_into: string | null }>(
    `SELECT ${INCIDENT_COLUMNS}, i.merged_into FROM ${incidentsOrGone('$1::uuid[]')}`,
    ids,
  );
  return new Map(found.map((row) => [row.id, { ...toIncident(row), mergedInto: row.merged_into }]));
}

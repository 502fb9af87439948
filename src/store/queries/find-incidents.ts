import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import type { IncidentRecord, IncidentRow } from './incident-columns.js';
import { INCIDENT_COLUMNS, toIncident } from './incident-columns.js';
import type { IncidentFilter } from './incident-where.js';
import { INCIDENT_SCOPE, incidentWhere } from './incident-where.js';
import { scopeWhere } from './scope-where.js';

/** Order of a list: by the time of the last or the first happening, then by id. */
export interface IncidentOrder {
  by: 'lastSeenAt' | 'firstSeenAt';
  descending: boolean;
}

/** Part of a list: what comes after a position. */
export interface IncidentPage {
  filter: IncidentFilter;
  /** What the caller may see. */
  scope: Scope;
  order: IncidentOrder;
  /** Most rows to return. */
  limit: number;
  /** Sort key of the last row of the page before; `at` in milliseconds since the epoch. */
  after?: { at: number; id: string } | undefined;
}

const COLUMN = { lastSeenAt: 'last_seen_at', firstSeenAt: 'first_seen_at' } as const;

/** Lists incidents after a position, walking an index in their order. */
export async function findIncidents(
  database: Pick<Database, 'rows'>,
  { filter, scope, order, limit, after }: IncidentPage,
): Promise<IncidentRecord[]> {
  const { sql, params } = incidentWhere(filter, scope);
  const column = COLUMN[order.by];
  const direction = order.descending ? 'DESC' : 'ASC';
  const put = (value: unknown): string => `$${params.push(value)}`;
  const position = after
    ? `AND (i.${column}, i.id) ${order.descending ? '<' : '>'} (to_timestamp(${put(after.at)}::float8 / 1000.0), ${put(after.id)}::uuid)`
    : '';
  const found = await database.rows<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incident i WHERE ${sql} ${position}
     ORDER BY i.${column} ${direction}, i.id ${direction} LIMIT ${put(limit)}`,
    ...params,
  );
  return found.map(toIncident);
}

/** Counts all incidents of a filter within a scope. */
export async function countIncidents(database: Pick<Database, 'rows'>, filter: IncidentFilter, scope: Scope): Promise<number> {
  const { sql, params } = incidentWhere(filter, scope);
  const [row] = await database.rows<{ count: number }>(`SELECT count(*)::integer AS count FROM incident i WHERE ${sql}`, ...params);
  return row!.count;
}

/** Finds one incident; one outside the scope is as one that does not exist. */
export async function findIncident(database: Pick<Database, 'rows'>, id: string, scope: Scope): Promise<IncidentRecord | undefined> {
  const [found] = await findIncidentsById(database, [id], scope);
  return found;
}

/** Finds incidents by their ids, in no order; unknown ones and those outside the scope are left out. */
export async function findIncidentsById(database: Pick<Database, 'rows'>, ids: readonly string[], scope: Scope): Promise<IncidentRecord[]> {
  const params: unknown[] = [ids];
  const conditions = ['i.id = ANY($1::uuid[])', ...scopeWhere(scope, INCIDENT_SCOPE, (value) => `$${params.push(value)}`)];
  const found = await database.rows<IncidentRow>(`SELECT ${INCIDENT_COLUMNS} FROM incident i WHERE ${conditions.join(' AND ')}`, ...params);
  return found.map(toIncident);
}

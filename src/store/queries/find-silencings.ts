import type { Silenceable, Silencing } from '../../incidents/silencing.js';
import type { Scope } from '../../platform/scope.js';
import { ms } from '../rows.js';
import type { Database } from '../database.service.js';

/** Columns of `silencing s` that make a `Silencing`. */
export const SILENCING_COLUMNS = `s.id, s.kind, s.clusters, s.namespaces, s.problems, s.severities, s.kinds, s.names, s.cron, s.duration_ms::float8 AS "durationMs",
  s.time_zone AS "timeZone", s.reason, s.created_by AS "createdBy", s.version, ${ms('s.starts_at')} AS "startsAt", ${ms('s.ends_at')} AS "endsAt",
  ${ms('s.created_at')} AS "createdAt"`;

type Reader = Pick<Database, 'rows'>;

/** Part of a list: what comes after a position, the newest first. */
export interface SilencingPage {
  kind: Silencing['kind'];
  /** Whether their time is now (true), or is not (false); null for all. A recurring window counts from its start to its end. */
  active: boolean | null;
  /** Milliseconds since the epoch. */
  now: number;
  scope: Scope;
  limit: number;
  after?: { at: number; id: string } | undefined;
}

/** Conditions on `silencing s`: it may concern what a caller of a scope may see. */
function overlaps({ clusters, namespaces }: Scope, put: (value: unknown) => string): string[] {
  return [
    ...(clusters ? [`(s.clusters = '{}' OR s.clusters && ${put(clusters)}::text[])`] : []),
    ...(namespaces ? [`(s.namespaces = '{}' OR s.namespaces && ${put(namespaces)}::text[])`] : []),
  ];
}

function conditionsOf({ kind, active, now, scope }: Omit<SilencingPage, 'limit' | 'after'>, put: (value: unknown) => string): string[] {
  const conditions = [`s.kind = ${put(kind)}`, ...overlaps(scope, put)];
  if (active === null) return conditions;
  const at = `to_timestamp(${put(now)}::float8 / 1000.0)`;
  return [...conditions, `${active ? '' : 'NOT '}(s.starts_at <= ${at} AND (s.ends_at IS NULL OR s.ends_at > ${at}))`];
}

/** Lists silences or maintenance windows after a position. */
export async function listSilencings(database: Reader, page: SilencingPage): Promise<Silencing[]> {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = conditionsOf(page, put);
  if (page.after)
    conditions.push(`(s.created_at, s.id) < (to_timestamp(${put(page.after.at)}::float8 / 1000.0), ${put(page.after.id)}::uuid)`);
  return database.rows(
    `SELECT ${SILENCING_COLUMNS} FROM silencing s WHERE ${conditions.join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ${put(page.limit)}`,
    ...params,
  );
}

/** Counts the silences or maintenance windows of a list. */
export async function countSilencings(database: Reader, list: Omit<SilencingPage, 'limit' | 'after'>): Promise<number> {
  const params: unknown[] = [];
  const conditions = conditionsOf(list, (value) => `$${params.push(value)}`);
  const [row] = await database.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM silencing s WHERE ${conditions.join(' AND ')}`,
    ...params,
  );
  return row!.count;
}

/** Finds all whose time is at a moment, milliseconds since the epoch; of recurring ones those that may recur then. */
export async function findSilencingsAt(database: Reader, at: number): Promise<Silencing[]> {
  return database.rows(
    `SELECT ${SILENCING_COLUMNS} FROM silencing s
     WHERE (s.ends_at IS NULL OR s.ends_at > to_timestamp($1::float8 / 1000.0)) AND s.starts_at <= to_timestamp($1::float8 / 1000.0)
     ORDER BY s.created_at, s.id`,
    at,
  );
}

/** Finds what decides whether incidents are silenced, by id; one that is gone is left out. */
export async function findSilenceable(database: Reader, incidentIds: readonly string[]): Promise<(Silenceable & { id: string })[]> {
  return database.rows(
    `SELECT i.id, c.name AS cluster, i.subject_namespace AS namespace, i.problem_id AS "problemId", i.severity, i.subject_kind AS kind,
       i.subject_name AS name
     FROM incident i JOIN cluster c ON c.id = i.cluster_id WHERE i.id = ANY($1::uuid[])`,
    incidentIds,
  );
}

/** A change of a silence or maintenance window. */
export interface SilencingChange {
  id: string;
  at: number;
  kind: string;
  by: string;
  before: unknown;
  after: unknown;
}

/** Finds the latest changes of each, newest first, at most `limit`. */
export async function findSilencingChanges(
  database: Reader,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, SilencingChange[]>> {
  const found = await database.rows<SilencingChange & { silencing_id: string }>(
    `SELECT o.id AS silencing_id, a.id::text AS id, ${ms('a.at')} AS at, a.kind, a.by, a.before, a.after
     FROM unnest($1::uuid[]) AS o(id)
     CROSS JOIN LATERAL (SELECT * FROM silencing_audit a WHERE a.silencing_id = o.id ORDER BY a.id DESC LIMIT $2) a`,
    ids,
    limit,
  );
  const byId = new Map<string, SilencingChange[]>(ids.map((id) => [id, []]));
  for (const { silencing_id: silencingId, ...change } of found) byId.get(silencingId)!.push(change);
  return byId;
}

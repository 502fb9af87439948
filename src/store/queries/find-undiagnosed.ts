import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { scopeWhere } from './scope-where.js';

/** Which part of what no problem explains. */
export interface UndiagnosedFilter {
  /** Names of clusters; all when undefined. */
  clusters?: readonly string[] | undefined;
  /** First and last day (UTC), `2026-11-20`, on which an Event was last seen. */
  from?: string | undefined;
  to?: string | undefined;
  /** Text that the template, the reason, the reporter or the kind contains; letter case does not matter. */
  search?: string | undefined;
}

/** A pattern over all clusters; `hash` is empty for what found no place of its own. */
export interface FoundPattern {
  hash: string;
  kind: string;
  reporter: string;
  reason: string;
  template: string;
  occurrences: number;
}

/** A pattern in one cluster. Times in milliseconds since the epoch. */
export interface PatternInCluster {
  hash: string;
  cluster: string;
  provider: string;
  occurrences: number;
  /** Event objects. */
  events: number;
  firstAt: number;
  lastAt: number;
  /** At most 100. */
  namespaces: string[];
  /** Of the latest days, with the namespace, at most three, as JSON. */
  samples: { namespace: string; sample: string }[];
}

const NAMESPACES = 100;
const SAMPLES = 3;

type Put = (value: unknown) => string;

function where(scope: Scope, { clusters, from, to, search }: UndiagnosedFilter, put: Put): string {
  const conditions = ['c.events > 0', ...scopeWhere(scope, { cluster: 'c.cluster_id', namespace: 'c.namespace' }, put)];
  if (clusters) conditions.push(`c.cluster_id = ANY(ARRAY(SELECT k.id FROM cluster k WHERE k.name = ANY(${put(clusters)}::text[])))`);
  if (from !== undefined) conditions.push(`c.day >= ${put(from)}::date`);
  if (to !== undefined) conditions.push(`c.day <= ${put(to)}::date`);
  if (search !== undefined) {
    const like = put(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(p.template ILIKE ${like} OR p.reason ILIKE ${like} OR p.reporter ILIKE ${like} OR p.kind ILIKE ${like})`);
  }
  return conditions.join(' AND ');
}

/** Finds patterns with their occurrences over all clusters in the scope, the most frequent first. */
export function findUndiagnosed(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  filter: UndiagnosedFilter,
  limit: number,
): Promise<FoundPattern[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  return database.rows<FoundPattern & Record<string, unknown>>(
    `SELECT p.hash, p.kind, p.reporter, p.reason, p.template, sum(c.occurrences)::float8 AS occurrences
     FROM undiagnosed_cell c JOIN undiagnosed_pattern p ON p.id = c.pattern_id WHERE ${where(scope, filter, put)}
     GROUP BY p.hash, p.kind, p.reporter, p.reason, p.template ORDER BY sum(c.occurrences) DESC, p.hash LIMIT ${put(limit)}`,
    ...params,
  );
}

/** Finds what is known of patterns in each cluster, the clusters with the most occurrences first. */
export function findPatternsInClusters(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  filter: UndiagnosedFilter,
  hashes: readonly string[],
): Promise<PatternInCluster[]> {
  const params: unknown[] = [];
  const put: Put = (value) => `$${params.push(value)}`;
  return database.rows<PatternInCluster & Record<string, unknown>>(
    `SELECT p.hash, k.name AS cluster, k.provider, sum(c.occurrences)::float8 AS occurrences, sum(c.events)::integer AS events,
       ${ms('min(c.first_at)')} AS "firstAt", ${ms('max(c.last_at)')} AS "lastAt",
       (array_agg(DISTINCT c.namespace ORDER BY c.namespace))[1:${NAMESPACES}] AS namespaces,
       array_to_json((array_agg(json_build_object('namespace', c.namespace, 'sample', c.sample) ORDER BY c.day DESC, c.namespace))[1:${SAMPLES}]) AS samples
     FROM undiagnosed_cell c JOIN undiagnosed_pattern p ON p.id = c.pattern_id JOIN cluster k ON k.id = c.cluster_id
     WHERE p.hash = ANY(${put(hashes)}::text[]) AND ${where(scope, filter, put)}
     GROUP BY p.hash, k.name, k.provider ORDER BY sum(c.occurrences) DESC, k.name`,
    ...params,
  );
}

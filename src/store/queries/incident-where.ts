import type { Coverage } from '../../incidents/silencing.js';
import type { Scope } from '../../platform/scope.js';
import type { ScopedColumns } from './scope-where.js';
import { scopeWhere } from './scope-where.js';

/** Which incidents to list; a condition that is absent, or a list that is empty, does not restrict. */
export interface IncidentFilter {
  /** Names of clusters. */
  clusters?: readonly string[] | undefined;
  namespaces?: readonly string[] | undefined;
  /** Kinds of the subject. */
  kinds?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  severities?: readonly string[] | undefined;
  /** Ids of problems. */
  problems?: readonly string[] | undefined;
  codes?: readonly string[] | undefined;
  /** Providers of the problem. */
  providers?: readonly string[] | undefined;
  /** An object that the incident is about, or that is among its affected objects. */
  subject?: { kind: string; namespace: string; name: string } | undefined;
  /** Seen at this time or later, milliseconds since the epoch. */
  seenAfter?: number | undefined;
  /** Seen first before this time, milliseconds since the epoch. */
  seenBefore?: number | undefined;
  /** Whether one of these covers it, or none does: what silences incidents now. */
  silenced?: { is: boolean; by: readonly Coverage[] } | undefined;
  /** Every word has to be in the subject's name, namespace, the problem's id or code, or belong to one of the problems. */
  words?: readonly { text: string; problems: readonly string[] }[] | undefined;
}

/** Where a scope finds its columns in `incident i`. */
export const INCIDENT_SCOPE: ScopedColumns = { cluster: 'i.cluster_id', namespace: 'i.subject_namespace' };

/** Conditions joined by AND, and the values of their placeholders. */
export interface Where {
  sql: string;
  params: unknown[];
}

/** Builds the condition of a filter on `incident i`, within a scope. Placeholders are numbered from $1. */
export function incidentWhere(filter: IncidentFilter, scope: Scope): Where {
  const params: unknown[] = [];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = scopeWhere(scope, INCIDENT_SCOPE, put);
  const oneOf = (column: string, values: readonly string[] | undefined): void => {
    // A single value is compared as such: only then an index in the order of time can be walked.
    if (values?.length === 1) conditions.push(`${column} = ${put(values[0])}`);
    else if (values && values.length > 1) conditions.push(`${column} = ANY(${put(values)}::text[])`);
  };
  if (filter.clusters?.length === 1)
    conditions.push(`i.cluster_id = (SELECT c.id FROM cluster c WHERE c.name = ${put(filter.clusters[0])})`);
  else if (filter.clusters && filter.clusters.length > 1) {
    conditions.push(`i.cluster_id = ANY(ARRAY(SELECT c.id FROM cluster c WHERE c.name = ANY(${put(filter.clusters)}::text[])))`);
  }
  oneOf('i.subject_namespace', filter.namespaces);
  oneOf('i.subject_kind', filter.kinds);
  oneOf('i.status', filter.statuses);
  if (filter.statuses && filter.statuses.length > 0 && !filter.statuses.includes('resolved')) conditions.push(`i.status <> 'resolved'`);
  oneOf('i.severity', filter.severities);
  oneOf('i.problem_id', filter.problems);
  oneOf('i.code', filter.codes);
  oneOf('i.provider', filter.providers);
  if (filter.subject) conditions.push(subjectIs(filter.subject, put));
  if (filter.seenAfter !== undefined) conditions.push(`i.last_seen_at >= to_timestamp(${put(filter.seenAfter)}::float8 / 1000.0)`);
  if (filter.seenBefore !== undefined) conditions.push(`i.first_seen_at < to_timestamp(${put(filter.seenBefore)}::float8 / 1000.0)`);
  if (filter.silenced) conditions.push(`${filter.silenced.is ? '' : 'NOT '}${coveredBy(put(JSON.stringify(filter.silenced.by)))}`);
  for (const word of filter.words ?? []) {
    const like = put(`%${word.text.replaceAll(/[\\%_]/g, '\\$&')}%`);
    const fields = ['i.subject_name', 'i.subject_namespace', 'i.problem_id', 'i.code'].map((column) => `${column} ILIKE ${like}`);
    conditions.push(`(${fields.join(' OR ')} OR i.problem_id = ANY(${put(word.problems)}::text[]))`);
  }
  return { sql: conditions.length === 0 ? 'true' : conditions.join(' AND '), params };
}

/** As `covers` decides it, for all incidents at once. */
function coveredBy(list: string): string {
  const holds = (values: string, value: string): string => `(${values} = '{}' OR ${value} = ANY(${values}))`;
  return `EXISTS (SELECT FROM jsonb_to_recordset(${list}::jsonb)
      AS s(clusters text[], namespaces text[], problems text[], severities text[], kinds text[], names text[])
    WHERE ${holds('s.clusters', '(SELECT c.name FROM cluster c WHERE c.id = i.cluster_id)')} AND ${holds('s.namespaces', 'i.subject_namespace')}
      AND ${holds('s.problems', 'i.problem_id')} AND ${holds('s.severities', 'i.severity')} AND ${holds('s.kinds', 'i.subject_kind')}
      AND ${holds('s.names', 'i.subject_name')})`;
}

/** Kinds that a subject read off a Pod's generated name may turn out to be; until its owner is known it is a `Workload`. */
const WORKLOADS = new Set(['Deployment', 'DaemonSet', 'StatefulSet', 'Job', 'CronJob', 'ReplicaSet', 'ReplicationController']);

/** The kinds that a subject may be stored under when it is asked for by a kind. */
export function kindsOfSubject(kind: string): string[] {
  return WORKLOADS.has(kind) ? [kind, 'Workload'] : [kind];
}

function subjectIs({ kind, namespace, name }: { kind: string; namespace: string; name: string }, put: (value: unknown) => string): string {
  const kinds = put(kindsOfSubject(kind));
  const about = `i.subject_name = ${put(name)} AND i.subject_namespace = ${put(namespace)} AND i.subject_kind = ANY(${kinds}::text[])`;
  // The key begins with the cluster: naming every cluster lets its index be used.
  const affects = `SELECT a.incident_id FROM affected a
    WHERE a.cluster_id = ANY(ARRAY(SELECT c.id FROM cluster c)) AND a.object_key = ${put(`${kind}/${namespace}/${name}`)}`;
  return `((${about}) OR i.id = ANY(ARRAY(${affects})))`;
}

import type { Scope } from '../../platform/scope.js';
import { kindsOfSubject } from './incident-where.js';
import { scopeWhere } from './scope-where.js';

/** Which happenings to sum up. What is absent does not restrict; an empty list lets nothing through. */
export interface HappeningFilter {
  /** Names of clusters. */
  clusters?: readonly string[] | undefined;
  /** Providers of the clusters. */
  clusterProviders?: readonly string[] | undefined;
  regions?: readonly string[] | undefined;
  namespaces?: readonly string[] | undefined;
  /** Ids of problems. */
  problems?: readonly string[] | undefined;
  /** The object that incidents are about. */
  subject?: { kind: string; namespace: string; name: string } | undefined;
}

/** Columns that the conditions are about; a subject is always one of `incident i`. */
export interface HappeningColumns {
  cluster: string;
  /** Null where a table has none; it must not be restricted then. */
  namespace: string | null;
  problem: string | null;
}

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Put = (value: unknown) => string;

/** Whether a question can only be answered by a table that knows namespaces. */
export function restrictsNamespace(filter: HappeningFilter, scope: Scope): boolean {
  return filter.namespaces !== undefined || scope.namespaces !== null;
}

/** Whether a question is about some clusters only. */
export function restrictsCluster({ clusters, clusterProviders, regions }: HappeningFilter, scope: Scope): boolean {
  return [clusters, clusterProviders, regions].some((list) => list !== undefined) || scope.clusters !== null;
}

/** The conditions of a filter and a scope, to be joined by AND. */
export function happeningWhere(filter: HappeningFilter, scope: Scope, columns: HappeningColumns, put: Put): string[] {
  const conditions = scopeWhere(scope, columns, put);
  const { clusters, clusterProviders, regions, namespaces, problems, subject } = filter;
  const ofCluster = [
    ...(clusters ? [`c.name = ANY(${put(clusters)}::text[])`] : []),
    ...(clusterProviders ? [`c.provider = ANY(${put(clusterProviders)}::text[])`] : []),
    ...(regions ? [`c.region = ANY(${put(regions)}::text[])`] : []),
  ];
  if (ofCluster.length > 0) conditions.push(`${columns.cluster} = ANY(ARRAY(SELECT c.id FROM cluster c WHERE ${ofCluster.join(' AND ')}))`);
  if (namespaces) conditions.push(columns.namespace === null ? 'false' : `${columns.namespace} = ANY(${put(namespaces)}::text[])`);
  if (problems) conditions.push(columns.problem === null ? 'false' : `${columns.problem} = ANY(${put(problems)}::text[])`);
  if (subject) {
    const { kind, namespace, name } = subject;
    conditions.push(
      `i.subject_name = ${put(name)} AND i.subject_namespace = ${put(namespace)} AND i.subject_kind = ANY(${put(kindsOfSubject(kind))}::text[])`,
    );
  }
  return conditions;
}

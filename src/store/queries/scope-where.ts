import type { Scope } from '../../platform/scope.js';

/** Columns, as SQL, that hold the cluster's id and the namespace; null where a table knows no namespace. */
export interface ScopedColumns {
  cluster: string;
  namespace: string | null;
}

/**
 * Conditions, to be joined by AND, that keep a statement within a scope; none for a caller who may see everything. `put`
 * adds a value to the statement's parameters and returns its placeholder.
 */
export function scopeWhere({ clusters, namespaces }: Scope, columns: ScopedColumns, put: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  if (clusters) conditions.push(`${columns.cluster} = ANY(ARRAY(SELECT c.id FROM cluster c WHERE c.name = ANY(${put(clusters)}::text[])))`);
  if (namespaces) conditions.push(columns.namespace === null ? 'false' : `${columns.namespace} = ANY(${put(namespaces)}::text[])`);
  return conditions;
}

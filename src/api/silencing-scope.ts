import type { Coverage } from '../incidents/silencing.js';
import { RequestError } from '../platform/refusal.js';
import type { Scope } from '../platform/scope.js';

type Within = Pick<Coverage, 'clusters' | 'namespaces'>;

/** Whether all that a silence or maintenance window can cover lies within a scope. */
export function liesWithin({ clusters, namespaces }: Within, scope: Scope): boolean {
  const within = (values: readonly string[], allowed: readonly string[] | null): boolean =>
    allowed === null || (values.length > 0 && values.every((value) => allowed.includes(value)));
  return within(clusters, scope.clusters) && within(namespaces, scope.namespaces);
}

/** Whether it can cover something within a scope: then it concerns who has that scope. */
export function concerns({ clusters, namespaces }: Within, scope: Scope): boolean {
  const meets = (values: readonly string[], allowed: readonly string[] | null): boolean =>
    allowed === null || values.length === 0 || values.some((value) => allowed.includes(value));
  return meets(clusters, scope.clusters) && meets(namespaces, scope.namespaces);
}

/** The same with only those clusters and namespaces named that the scope knows. */
export function narrowed<T extends Within>(silencing: T, { clusters, namespaces }: Scope): T {
  const known = (values: readonly string[], allowed: readonly string[] | null): readonly string[] =>
    allowed === null ? values : values.filter((value) => allowed.includes(value));
  return { ...silencing, clusters: known(silencing.clusters, clusters), namespaces: known(silencing.namespaces, namespaces) };
}

/** Throws RequestError FORBIDDEN unless all that it can cover lies within a scope. */
export function checkWithin(silencing: Within, scope: Scope): void {
  if (liesWithin(silencing, scope)) return;
  const may = [
    ...(scope.clusters ? [`clusters ${scope.clusters.join(', ')}`] : []),
    ...(scope.namespaces ? [`namespaces ${scope.namespaces.join(', ')}`] : []),
  ].join(' and ');
  throw new RequestError('FORBIDDEN', `It has to name clusters and namespaces of your scope only: ${may}.`);
}

/** What of the data a caller may see; a list that is null does not restrict. */
export interface Scope {
  /** Names of clusters. */
  clusters: readonly string[] | null;
  /** Namespaces of subjects; with a list, objects that belong to no namespace (Nodes, say) are out of sight. */
  namespaces: readonly string[] | null;
}

/** The scope of those who may see all there is. */
export const EVERYTHING: Scope = { clusters: null, namespaces: null };

/** True for a scope that leaves nothing out. */
export function isEverything({ clusters, namespaces }: Scope): boolean {
  return clusters === null && namespaces === null;
}

/** True when a cluster of this name lies in the scope, whatever of its namespaces. */
export function mayName({ clusters }: Scope, cluster: string): boolean {
  return clusters === null || clusters.includes(cluster);
}

/** True when the inner scope holds nothing that the outer one leaves out. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  return isPartOf(inner.clusters, outer.clusters) && isPartOf(inner.namespaces, outer.namespaces);
}

function isPartOf(inner: readonly string[] | null, outer: readonly string[] | null): boolean {
  return outer === null || (inner !== null && inner.every((name) => outer.includes(name)));
}

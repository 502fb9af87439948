/** What of the data a caller may see; a list that is null does not restrict. */
export interface Scope {
  /** Names of clusters. */
  clusters: readonly string[] | null;
  /** Namespaces of subjects; with a list, objects that belong to no namespace (Nodes, say) are out of sight. */
  namespaces: readonly string[] | null;
}

/** The scope of those who may see all there is. */
export const EVERYTHING: Scope = { clusters: null, namespaces: null };

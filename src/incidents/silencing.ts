/** Which incidents are meant: all conditions have to hold, and an empty list is no condition. */
export interface Coverage {
  /** Names of clusters. */
  clusters: readonly string[];
  /** Namespaces of subjects. */
  namespaces: readonly string[];
  /** Ids of problems. */
  problems: readonly string[];
  severities: readonly string[];
  /** Kinds of subjects. */
  kinds: readonly string[];
  /** Names of subjects. */
  names: readonly string[];
}

/** When: from one time to another, or again and again between the two. Milliseconds since the epoch. */
export interface Schedule {
  startsAt: number;
  /** Null for a recurring one that has no end. */
  endsAt: number | null;
  /** Starts of a recurring one, five fields; null for what happens once. */
  cron: string | null;
  /** How long each takes, milliseconds. */
  durationMs: number | null;
  /** Zone of the clock that the expression speaks of. */
  timeZone: string | null;
}

/** Word that some incidents are expected for some time: a silence, or a maintenance window. */
export interface Silencing extends Coverage, Schedule {
  id: string;
  kind: 'silence' | 'maintenance';
  reason: string;
  createdBy: string;
  createdAt: number;
  version: number;
}

/** What decides whether an incident is silenced. */
export interface Silenceable {
  /** Name of its cluster. */
  cluster: string;
  namespace: string;
  problemId: string;
  severity: string;
  /** Kind and name of its subject. */
  kind: string;
  name: string;
}

/** Whether an incident is meant. */
export function covers(coverage: Coverage, incident: Silenceable): boolean {
  const among = (values: readonly string[], value: string): boolean => values.length === 0 || values.includes(value);
  return (
    among(coverage.clusters, incident.cluster) &&
    among(coverage.namespaces, incident.namespace) &&
    among(coverage.problems, incident.problemId) &&
    among(coverage.severities, incident.severity) &&
    among(coverage.kinds, incident.kind) &&
    among(coverage.names, incident.name)
  );
}

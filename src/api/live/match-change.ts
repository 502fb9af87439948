import type { IncidentChange } from '../../store/queries/find-incident-changes.js';
import type { IncidentFilter } from '../../store/queries/incident-where.js';

type ByState = Pick<IncidentFilter, 'statuses' | 'severities' | 'problems' | 'namespaces'>;

/**
 * Whether a change may concern a filter, by what the change itself says. Status and severity are decided here, on the incident
 * before or after the change: who lists open incidents is told when one leaves the list. The rest is asked of the database.
 */
export function mayConcern({ statuses, severities, problems, namespaces }: ByState, change: IncidentChange): boolean {
  const shows = (status: string | null, severity: string | null): boolean =>
    status !== null && severity !== null && allows(statuses, status) && allows(severities, severity);
  return (
    allows(problems, change.problemId) &&
    allows(namespaces, change.namespace) &&
    (shows(change.status, change.severity) || shows(change.statusBefore, change.severityBefore))
  );
}

/** The conditions of a filter that do not change with a change of the incident. */
export function withoutState(filter: IncidentFilter): IncidentFilter {
  return { ...filter, statuses: undefined, severities: undefined };
}

function allows(values: readonly string[] | undefined, value: string): boolean {
  return values === undefined || values.length === 0 || values.includes(value);
}

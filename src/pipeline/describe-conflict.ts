import type { IncidentWorkRecord } from '../store/statements/find-work.js';
import type { WorkKind } from '../store/statements/record-work.js';

/** What people did with an incident since the version that a caller knows, the latest first. */
export type Meanwhile = readonly { kind: WorkKind; by: string; at: Date }[];

const SAID: Record<WorkKind, string> = {
  ACKNOWLEDGED: 'acknowledged it',
  UNACKNOWLEDGED: 'took the acknowledgement back',
  ASSIGNED: 'assigned it',
  COMMENTED: 'commented on it',
  RESOLVED: 'resolved it',
  REOPENED: 'reopened it',
};

/** Says who changed what since the version that a caller expected. */
export function describeConflict(
  { version, status, resolvedBy, assignee }: Pick<IncidentWorkRecord, 'version' | 'status' | 'resolvedBy' | 'assignee'>,
  expected: number,
  meanwhile: Meanwhile,
): string {
  const stands = `it is ${status}${resolvedBy === null ? '' : ` by ${resolvedBy}`}, ${assignee === null ? 'assigned to nobody' : `assigned to ${assignee}`}`;
  if (expected > version) return `The incident is at version ${version} and was never at ${expected}; ${stands}.`;
  const changes = meanwhile.map(({ kind, by, at }) => `${by} ${SAID[kind]} at ${at.toISOString()}`).join(', ');
  const who = changes === '' ? 'its status changed by what was heard of its objects' : changes;
  return `The incident is at version ${version}, not ${expected}: ${who}. Now ${stands}; read it again before changing it.`;
}

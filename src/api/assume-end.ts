import type { Problem } from '../knowledge/problem.js';
import type { ClusterHealth } from '../pipeline/cluster-health.service.js';
import type { EpisodeRecord } from '../store/queries/find-episodes.js';
import type { IncidentRecord } from '../store/queries/incident-columns.js';

/** An end that nobody told of. `since` in milliseconds since the epoch. */
export interface AssumedEnd {
  reason: 'NO_SUCCESS_EVENT' | 'QUIET_ONLY' | 'SUCCESS_OVERDUE' | 'CLUSTER_SILENT';
  since: number;
  /** One English sentence. */
  text: string;
}

/** What an incident's end is judged by. */
export interface EndSigns {
  incident: Pick<IncidentRecord, 'status' | 'lastSeenAt' | 'resolvedAt' | 'resolvedBy'>;
  /** Undefined when the knowledge base does not hold it any more. */
  problem: Pick<Problem, 'clears'> | undefined;
  /** Its latest episodes, the latest first. */
  episodes: readonly EpisodeRecord[];
  /** Undefined when the caller may not see it. */
  health: Pick<ClusterHealth, 'status' | 'lastHeardAt'> | undefined;
}

/** Ways to end that no event of success belongs to. */
const UNTOLD: ReadonlySet<string> = new Set(['quiet', 'terminal', 'object-gone']);

/** Before this a success is not overdue, and after this it is where none has ever come, milliseconds. */
const LEAST = 3_600_000;
const UNKNOWN = 24 * 3_600_000;
/** How many times the longest episode that a success ended one may last. */
const TIMES = 3;

/** Whether an episode's end was not told of by anything: quiet is the absence of news. */
export function isAssumed({ resolution }: Pick<EpisodeRecord, 'resolution'>): boolean {
  return resolution === 'QUIET';
}

/** Says why the end of an incident can only be assumed at `now`, milliseconds since the epoch; null when it was told of, or is not due. */
export function assumeEnd({ incident, problem, episodes, health }: EndSigns, now: number): AssumedEnd | null {
  const told = problem !== undefined && !UNTOLD.has(problem.clears.by);
  if (incident.status === 'resolved') {
    if (incident.resolvedBy !== 'QUIET' || incident.resolvedAt === null) return null;
    const since = incident.resolvedAt;
    return told
      ? { reason: 'NO_SUCCESS_EVENT', since, text: 'It was not seen any more, but the event that tells of its end did not come.' }
      : { reason: 'QUIET_ONLY', since, text: 'It was not seen any more; no event tells of its end.' };
  }
  if (health?.status === 'SILENT' && health.lastHeardAt !== null) {
    const since = health.lastHeardAt;
    return { reason: 'CLUSTER_SILENT', since, text: `Its cluster is silent since ${time(since)}: it may have ended meanwhile.` };
  }
  if (!told) return null;
  const longest = episodes
    .filter(({ resolution }) => resolution === 'SUCCESS_EVENT')
    .reduce((most, { startedAt, endedAt }) => Math.max(most, endedAt === null ? 0 : endedAt - startedAt), 0);
  const due = incident.lastSeenAt + (longest > 0 ? Math.max(LEAST, TIMES * longest) : UNKNOWN);
  if (due > now) return null;
  const text = `It was last seen at ${time(incident.lastSeenAt)}, and the event that tells of its end is overdue: it may have been missed.`;
  return { reason: 'SUCCESS_OVERDUE', since: due, text };
}

function time(at: number): string {
  return new Date(at).toISOString();
}

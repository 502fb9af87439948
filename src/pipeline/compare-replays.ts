import type { ReplayedIncident } from './replay-side.js';

/** What edited knowledge does to an incident. */
export type ReplayEffect = 'OPENS' | 'REOPENS' | 'CLOSES' | 'CHANGES' | 'LOSES';

/** Incidents with the same effect, from the same problem and to the same. */
export interface ReplayChange {
  effect: ReplayEffect;
  /** Problem under the knowledge of now; null for OPENS. */
  problem: string | null;
  /** Problem under the edited knowledge; null for LOSES. */
  becomes: string | null;
  incidents: number;
  /** Of them, those that are open: now, or for OPENS under the edited knowledge. */
  open: number;
  /** Event objects of theirs. */
  events: number;
  clusters: { cluster: string; incidents: number }[];
  samples: (Pick<ReplayedIncident, 'cluster' | 'message'> & ReplayedIncident['subject'])[];
}

const SAMPLES = 5;
const LONGEST = 500;

/**
 * Compares the incidents that the same Events make under the knowledge of now and under edited knowledge. An incident whose Events are
 * all of another problem then changes; one whose Events show none loses its diagnosis; of one that is left on both sides only a
 * different end counts.
 */
export function compareReplays(now: ReadonlyMap<string, ReplayedIncident>, then: ReadonlyMap<string, ReplayedIncident>): ReplayChange[] {
  const problemNow = problemsOfEvents(now);
  const problemThen = problemsOfEvents(then);
  const changes = new Map<string, ReplayChange>();
  const note = (effect: ReplayEffect, problem: string | null, becomes: string | null, incident: ReplayedIncident): void => {
    const key = `${effect}|${problem}|${becomes}`;
    const change = changes.get(key) ?? { effect, problem, becomes, incidents: 0, open: 0, events: 0, clusters: [], samples: [] };
    changes.set(key, change);
    change.incidents++;
    if (incident.open) change.open++;
    change.events += incident.events.length;
    const own = change.clusters.find(({ cluster }) => cluster === incident.cluster);
    if (own) own.incidents++;
    else change.clusters.push({ cluster: incident.cluster, incidents: 1 });
    if (change.samples.length < SAMPLES)
      change.samples.push({ cluster: incident.cluster, message: incident.message.slice(0, LONGEST).toWellFormed(), ...incident.subject });
  };
  for (const [key, incident] of now) {
    const other = then.get(key);
    if (!other) {
      const becomes = mostOf(incident.events.map((event) => problemThen.get(event)));
      note(becomes === undefined ? 'LOSES' : 'CHANGES', incident.problem, becomes ?? null, incident);
    } else if (incident.open && !other.open) note('CLOSES', incident.problem, incident.problem, incident);
    else if (!incident.open && other.open) note('REOPENS', incident.problem, incident.problem, other);
  }
  for (const [key, incident] of then) {
    // One that takes over the Events of another is told as the change of that one.
    if (!now.has(key) && incident.events.some((event) => !problemNow.has(event))) note('OPENS', null, incident.problem, incident);
  }
  const order = (a: ReplayChange, b: ReplayChange): number =>
    b.incidents - a.incidents || (`${a.effect} ${a.problem} ${a.becomes}` < `${b.effect} ${b.problem} ${b.becomes}` ? -1 : 1);
  for (const change of changes.values()) change.clusters.sort((a, b) => b.incidents - a.incidents || (a.cluster < b.cluster ? -1 : 1));
  return [...changes.values()].sort(order);
}

function problemsOfEvents(incidents: ReadonlyMap<string, ReplayedIncident>): Map<string, string> {
  return new Map([...incidents.values()].flatMap(({ problem, events }) => events.map((event): [string, string] => [event, problem])));
}

/** The problem that most name; of equals the first by id. */
function mostOf(problems: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const problem of problems) if (problem !== undefined) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
}

import type { EpisodeChange } from '../store/statements/refresh-episodes.js';
import type { RollupDelta } from '../store/statements/add-rollups.js';
import type { Affected } from '../incidents/affected.js';
import type { NewMarks } from './gather-marks.js';

const QUARTER = 900_000;

/** What an affected object adds to the roll-ups. */
export interface CountedChange {
  after: Pick<Affected, 'namespace' | 'problemId'>;
  marks: Pick<NewMarks, 'quarters'> | undefined;
}

/** What a batch changes in the roll-ups: its occurrences, and the episodes that began, ended or were derived anew. */
export function rollupDeltas(changes: readonly CountedChange[], episodes: readonly EpisodeChange[]): RollupDelta[] {
  const deltas = new Map<string, RollupDelta>();
  const of = (time: number, namespace: string, problemId: string): RollupDelta => {
    const at = Math.floor(time / QUARTER) * QUARTER;
    const key = `${at}|${namespace}|${problemId}`;
    const known = deltas.get(key);
    if (known) return known;
    const created = { at, namespace, problemId, occurrences: 0, opened: 0, reopened: 0, resolved: 0, resolveMs: 0 };
    deltas.set(key, created);
    return created;
  };
  for (const { after, marks } of changes) {
    for (const [quarter, occurrences] of marks?.quarters ?? []) of(quarter, after.namespace, after.problemId).occurrences += occurrences;
  }
  for (const { sign, namespace, problemId, startedAt, endedAt, first } of episodes) {
    const start = of(startedAt, namespace, problemId);
    if (first) start.opened += sign;
    else start.reopened += sign;
    if (endedAt === null) continue;
    const end = of(endedAt, namespace, problemId);
    end.resolved += sign;
    end.resolveMs += sign * (endedAt - startedAt);
  }
  return [...deltas.values()].filter(
    ({ occurrences, opened, reopened, resolved, resolveMs }) => occurrences || opened || reopened || resolved || resolveMs,
  );
}

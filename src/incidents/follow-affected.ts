import type { Sighting } from './assign-growth.js';
import type { Interval, Mark } from './timeline.js';
import type { Ending } from './timeline.js';
import { extendTimeline, settleQuiet } from './timeline.js';

/** The periods of an affected object after new marks. */
export interface Followed {
  /** The latest period. */
  current: Interval;
  /** Earlier periods that are new or derived anew. */
  past: Interval[];
  /** `past` takes the place of stored periods that start at this moment or later; null when it only adds to them. */
  replacesFrom: number | null;
  /** From when on a start or an end of a period changed, milliseconds since the epoch; null when only `lastAt` moved. */
  changedFrom: number | null;
}

/** What is stored about one affected object around marks that came late. */
export interface AffectedHistory {
  /** Latest sighting before everything that is new; null when there is none, or retention has dropped it. */
  cut: number | null;
  /** All sightings from the cut on, the new ones included. */
  sightings: readonly Pick<Sighting, 'at' | 'since'>[];
  /** All earlier periods that reach to the cut or lie behind it. */
  past: readonly Interval[];
}

/** Adds marks that come in order. Undefined when they tell nothing (an ending of something never seen). */
export function followOn(current: Interval | undefined, marks: readonly Mark[], ending: Ending, now: number): Followed | undefined {
  const intervals = settleQuiet(extendTimeline(current ? [current] : [], marks, ending), ending, now);
  const latest = intervals.at(-1);
  if (!latest) return undefined;
  const changed = !current || intervals.length > 1 || current.endedAt !== latest.endedAt || current.resolution !== latest.resolution;
  return {
    current: latest,
    past: intervals.slice(0, -1),
    replacesFrom: null,
    changedFrom: changed ? (current ?? intervals[0]!).startedAt : null,
  };
}

/**
 * Derives the periods around and behind marks that came late. What lies before the cut cannot change, and periods of which
 * retention has dropped sightings stay as they are.
 */
export function followAnew(current: Interval, history: AffectedHistory, marks: readonly Mark[], ending: Ending, now: number): Followed {
  const { cut } = history;
  const before = [...history.past, current].sort((a, b) => a.startedAt - b.startedAt);
  const stored = history.sightings.map(({ at, since }): Mark => ({ kind: 'sighting', at, since }));
  const all = [...(cut === null ? droppedMarks(before, stored) : spanOf(before[0]!.startedAt, cut)), ...stored, ...marks];
  const after = settleQuiet(extendTimeline([], all, ending), ending, now);
  const latest = after.at(-1)!;
  const difference = after.findIndex((interval, i) => !sameBounds(interval, before[i]));
  const firstChanged = difference >= 0 ? difference : after.length < before.length ? after.length : -1;
  return {
    current: latest,
    past: after.slice(0, -1),
    replacesFrom: before[0]!.startedAt,
    changedFrom:
      firstChanged < 0 ? null : Math.min(after[firstChanged]?.startedAt ?? Infinity, before[firstChanged]?.startedAt ?? Infinity),
  };
}

/** Stands in for the sightings of a time without a pause. */
function spanOf(startedAt: number, lastAt: number): Mark[] {
  return [startedAt, lastAt].map((at) => ({ kind: 'sighting', at, since: startedAt }));
}

/** Stands in for the marks of periods of which retention has dropped some. */
function droppedMarks(periods: readonly Interval[], stored: readonly Mark[]): Mark[] {
  const storedAt = new Set(stored.map(({ at }) => at));
  return periods
    .filter(({ startedAt, lastAt }) => !storedAt.has(startedAt) || !storedAt.has(lastAt))
    .flatMap(({ startedAt, lastAt, endedAt, resolution }): Mark[] => {
      const span = spanOf(startedAt, lastAt);
      return endedAt === null || resolution === null || resolution === 'QUIET'
        ? span
        : [...span, { kind: 'clear', at: endedAt, resolution }];
    });
}

function sameBounds(a: Interval, b: Interval | undefined): boolean {
  return b !== undefined && a.startedAt === b.startedAt && a.endedAt === b.endedAt && a.resolution === b.resolution;
}

import type { Sighting } from './assign-growth.js';
import type { Interval, Mark } from './timeline.js';
import type { Ending } from './timeline.js';
import { extendTimeline, settleQuiet } from './timeline.js';

/** The periods of an affected object after new marks. */
export interface Followed {
  /** The latest period. */
  current: Interval;
  /** Earlier periods that are new, or all of them when `replacesPast`. */
  past: Interval[];
  /** True when `past` takes the place of all earlier periods that are stored. */
  replacesPast: boolean;
  /** From when on a start or an end of a period changed, milliseconds since the epoch; null when only `lastAt` moved. */
  changedFrom: number | null;
}

/** Everything stored about one affected object, for marks that came late. */
export interface AffectedHistory {
  sightings: readonly Pick<Sighting, 'at' | 'since'>[];
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
    replacesPast: false,
    changedFrom: changed ? (current ?? intervals[0]!).startedAt : null,
  };
}

/**
 * Derives all periods anew from everything stored and the marks that came late. Periods whose sightings have been
 * dropped by retention stay as they are.
 */
export function followAnew(
  current: Interval,
  history: AffectedHistory,
  marks: readonly Mark[],
  ending: Ending,
  now: number,
): Followed {
  const before = [...history.past, current].sort((a, b) => a.startedAt - b.startedAt);
  const stored = history.sightings.map(({ at, since }): Mark => ({ kind: 'sighting', at, since }));
  const keptFrom = stored.reduce((first, mark) => Math.min(first, mark.at), Infinity);
  const all = [...before.flatMap((interval) => marksOf(interval, keptFrom)), ...stored, ...marks];
  const after = settleQuiet(extendTimeline([], all, ending), ending, now);
  const latest = after.at(-1)!;
  const difference = after.findIndex((interval, i) => !sameBounds(interval, before[i]));
  const firstChanged = difference >= 0 ? difference : after.length < before.length ? after.length : -1;
  return {
    current: latest,
    past: after.slice(0, -1),
    replacesPast: true,
    changedFrom: firstChanged < 0 ? null : Math.min(after[firstChanged]?.startedAt ?? Infinity, before[firstChanged]?.startedAt ?? Infinity),
  };
}

/** Stands in for sightings that retention has dropped. */
function marksOf(interval: Interval, keptFrom: number): Mark[] {
  if (interval.startedAt >= keptFrom) return [];
  const marks: Mark[] = [
    { kind: 'sighting', at: interval.startedAt, since: interval.startedAt },
    { kind: 'sighting', at: Math.min(interval.lastAt, keptFrom), since: interval.startedAt },
  ];
  if (interval.endedAt !== null && interval.endedAt < keptFrom && interval.resolution !== null && interval.resolution !== 'QUIET') {
    marks.push({ kind: 'clear', at: interval.endedAt, resolution: interval.resolution });
  }
  return marks;
}

function sameBounds(a: Interval, b: Interval | undefined): boolean {
  return b !== undefined && a.startedAt === b.startedAt && a.endedAt === b.endedAt && a.resolution === b.resolution;
}

/** Why a period of failure ended. */
export type Resolution = 'SUCCESS_EVENT' | 'QUIET' | 'OBJECT_GONE' | 'MANUAL';

/** One uninterrupted period in which a problem was seen on one object. Times in milliseconds since the epoch. */
export interface Interval {
  startedAt: number;
  /** Latest sighting inside the period. */
  lastAt: number;
  /** Null while it lasts. */
  endedAt: number | null;
  resolution: Resolution | null;
}

/** Something that happened to one object and one problem: seen again, or ended. */
export type Mark =
  /** `since` < `at` says that the sender vouches for no long pause between the two (many happenings in between). */
  { kind: 'sighting'; at: number; since: number } | { kind: 'clear'; at: number; resolution: Resolution };

/** How a problem's periods end, in milliseconds. */
export interface Ending {
  /** A pause longer than this ends the period; null where silence proves nothing. */
  quiet: number | null;
  /** A clearing event counts only if the last sighting lies at least this far behind it. */
  settle: number;
}

/** Order of time; in the same instant (events have whole seconds) the failure comes before what ends it. */
export function compareMarks(a: Mark, b: Mark): number {
  return a.at - b.at || (a.kind === b.kind ? tieBreak(a, b) : a.kind === 'sighting' ? -1 : 1);
}

function tieBreak(a: Mark, b: Mark): number {
  if (a.kind === 'sighting' && b.kind === 'sighting') return a.since - b.since;
  if (a.kind === 'clear' && b.kind === 'clear') return a.resolution < b.resolution ? -1 : a.resolution > b.resolution ? 1 : 0;
  return 0;
}

/**
 * Whether marks can simply be added to the latest period: none lies before what it already accounts for, and none vouches
 * for a time before its start, which might unite it with an earlier one. In the instant of its end, a sighting lies before.
 */
export function comesInOrder(current: Interval | undefined, marks: readonly Mark[]): boolean {
  if (!current) return true;
  const { endedAt, resolution, lastAt, startedAt } = current;
  const end: Mark | undefined = resolution !== null && resolution !== 'QUIET' ? { kind: 'clear', at: endedAt!, resolution } : undefined;
  return marks.every(
    (mark) => (end ? compareMarks(mark, end) >= 0 : mark.at >= lastAt) && (mark.kind === 'clear' || mark.since >= startedAt),
  );
}

/**
 * Adds marks to the periods of one object. `intervals` may be all of them or only the last, provided that the marks come
 * in order. Returns new intervals; the same set of marks gives the same result in whatever portions
 * and order it came, as long as late ones are handled by deriving anew.
 */
export function extendTimeline(intervals: readonly Interval[], marks: readonly Mark[], ending: Ending): Interval[] {
  const result = intervals.map((interval) => ({ ...interval }));
  for (const mark of vouched([...marks].sort(compareMarks))) {
    const current = result.at(-1);
    if (mark.kind === 'sighting') addSighting(result, current, mark, ending.quiet);
    else if (current) addClear(current, mark, ending);
  }
  return result;
}

/** Lets a sighting inside the span of a later one be vouched for by it too. */
function vouched(sorted: Mark[]): Mark[] {
  let since = Infinity;
  for (let i = sorted.length - 1; i >= 0; i--) {
    const mark = sorted[i]!;
    if (mark.kind !== 'sighting') continue;
    const before = since;
    since = Math.min(since, mark.since);
    if (before <= mark.at && before < mark.since) sorted[i] = { ...mark, since: before };
  }
  return sorted;
}

function addSighting(result: Interval[], current: Interval | undefined, mark: Mark & { kind: 'sighting' }, quiet: number | null): void {
  const fresh: Interval = { startedAt: mark.at, lastAt: mark.at, endedAt: null, resolution: null };
  if (!current) {
    result.push(fresh);
    return;
  }
  const cleared = current.resolution !== null && current.resolution !== 'QUIET';
  const deadline = quiet === null ? Infinity : current.lastAt + quiet;
  if (!cleared && Math.min(mark.at, mark.since) <= deadline) {
    current.lastAt = Math.max(current.lastAt, mark.at);
    current.endedAt = null;
    current.resolution = null;
    return;
  }
  if (!cleared) endByQuiet(current, deadline);
  result.push(fresh);
}

function addClear(current: Interval, mark: Mark & { kind: 'clear' }, ending: Ending): void {
  if (current.resolution !== null && current.resolution !== 'QUIET') return;
  const deadline = ending.quiet === null ? Infinity : current.lastAt + ending.quiet;
  if (mark.at > deadline) {
    endByQuiet(current, deadline);
    return;
  }
  if (mark.resolution === 'SUCCESS_EVENT' && mark.at - current.lastAt < ending.settle) return;
  current.endedAt = mark.at;
  current.resolution = mark.resolution;
}

function endByQuiet(interval: Interval, deadline: number): void {
  interval.endedAt = deadline;
  interval.resolution = 'QUIET';
}

/** When silence will have ended the last period; null when it has ended already or silence proves nothing. */
export function quietDeadline(interval: Interval, ending: Ending): number | null {
  return interval.endedAt === null && ending.quiet !== null ? interval.lastAt + ending.quiet : null;
}

/** Ends the last period by quiet if its deadline has passed at `now`. */
export function settleQuiet(intervals: readonly Interval[], ending: Ending, now: number): Interval[] {
  const last = intervals.at(-1);
  const deadline = last ? quietDeadline(last, ending) : null;
  if (!last || deadline === null || deadline > now) return [...intervals];
  return [...intervals.slice(0, -1), { ...last, endedAt: deadline, resolution: 'QUIET' }];
}

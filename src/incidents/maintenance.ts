import { Cron } from 'croner';
import type { Schedule } from './silencing.js';

/** One stretch of time, milliseconds since the epoch. */
export interface Window {
  startsAt: number;
  endsAt: number;
}

const FIELDS = 5;

/**
 * Says what is wrong with a cron expression; undefined when it has five fields and a start to come after `from`.
 * The time zone has to be a known one.
 */
export function faultOfCron(expression: string, timeZone: string, from: number): string | undefined {
  if (expression.trim().split(/\s+/).length !== FIELDS) return 'five fields: minute, hour, day of the month, month, day of the week';
  try {
    return startsOf(expression, timeZone).nextRun(new Date(from)) ? undefined : 'a time that comes';
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      return `a cron expression (${error.message.replace(/^CronPattern: /, '')})`;
    throw error;
  }
}

/** The window that runs at a moment; null for none. Starts follow the clocks of their zone over daylight saving; lengths are as said. */
export function runningWindow(schedule: Schedule, at: number): Window | null {
  if (schedule.cron === null) {
    return schedule.endsAt !== null && schedule.startsAt <= at && at < schedule.endsAt
      ? { startsAt: schedule.startsAt, endsAt: schedule.endsAt }
      : null;
  }
  const [window] = windowsFrom(schedule, at - schedule.durationMs!, 1);
  return window && window.startsAt <= at && at < window.endsAt ? window : null;
}

/** The windows that start after a moment, at most `first`. */
export function upcomingWindows(schedule: Schedule, at: number, first: number): Window[] {
  if (schedule.cron !== null) return windowsFrom(schedule, at, first);
  return schedule.startsAt > at && schedule.endsAt !== null ? [{ startsAt: schedule.startsAt, endsAt: schedule.endsAt }] : [];
}

/** Windows of a recurring schedule that start after a moment, and within its bounds. */
function windowsFrom({ startsAt, endsAt, cron, durationMs, timeZone }: Schedule, after: number, most: number): Window[] {
  // A start at the very beginning counts too, and one in the second before it does not.
  const from = Math.max(after, startsAt - 1000);
  const windows = startsOf(cron!, timeZone!)
    .nextRuns(most + 1, new Date(from))
    .map((start) => ({ startsAt: start.getTime(), endsAt: Math.min(start.getTime() + durationMs!, endsAt ?? Infinity) }));
  return windows.filter((window) => window.startsAt >= startsAt && (endsAt === null || window.startsAt < endsAt)).slice(0, most);
}

function startsOf(expression: string, timezone: string): Cron {
  // As cron does: a list of hours is a list of times of the clock, of which none is skipped or comes twice when clocks are changed.
  return new Cron(expression, { timezone, paused: true, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

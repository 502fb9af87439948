import { faultOfCron } from '../incidents/maintenance.js';
import type { Coverage, Schedule, Silencing } from '../incidents/silencing.js';
import type { Knowledge } from '../knowledge/problem.js';
import { RequestError } from '../platform/refusal.js';
import { checkSaid } from './check-work.js';
import { timeZoneOf } from './history/time-zone.js';
import { checkText } from './page.js';

/** What a caller says of a silence or maintenance window; what is left out stays as it is, or has its default. */
export interface WantedSilencing {
  clusters?: string[] | null;
  namespaces?: string[] | null;
  problems?: string[] | null;
  severities?: string[] | null;
  kinds?: string[] | null;
  names?: string[] | null;
  /** Milliseconds since the epoch. */
  startsAt?: number | null;
  endsAt?: number | null;
  reason?: string | null;
  recurring?: { cron: string; durationMinutes: number; timeZone: string } | null;
}

type Said = Coverage & Schedule & Pick<Silencing, 'kind' | 'reason'>;

/** What checking needs to know. */
export interface SilencingFacts {
  knowledge: Knowledge;
  /** Names of all clusters. */
  clusters: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

const LISTS = ['clusters', 'namespaces', 'problems', 'severities', 'kinds', 'names'] as const;
const MOST_VALUES = 100;
const REASON = 1000;
const DAY = 86_400_000;
/** Longest time of a silence, and of a maintenance window that happens once: days. */
export const MOST_DAYS = 90;
/** How far ahead it may begin, and a recurring one may end: days. */
const HORIZON_DAYS = 5 * 365;
/** Longest recurring window: minutes in seven days. */
export const MOST_MINUTES = 7 * 24 * 60;
/** Clocks of callers may differ by this much, milliseconds. */
const LENIENCE = 60_000;

const NOTHING: Omit<Said, 'kind' | 'startsAt' | 'reason'> = {
  clusters: [],
  namespaces: [],
  problems: [],
  severities: [],
  kinds: [],
  names: [],
  endsAt: null,
  cron: null,
  durationMs: null,
  timeZone: null,
};

/**
 * Checks a new silence or maintenance window, or a change of one.
 *
 * @throws RequestError BAD_INPUT that names the wrong field and says what was expected
 */
export function checkSilencing(kind: Silencing['kind'], wanted: WantedSilencing, before: Silencing | null, facts: SilencingFacts): Said {
  const { now } = facts;
  const base: Said = before ?? { ...NOTHING, kind, startsAt: now, reason: '' };
  const lists = Object.fromEntries(
    LISTS.map((field) => [field, wanted[field] === undefined ? base[field] : checkValues(field, wanted[field] ?? [], facts)]),
  ) as unknown as Coverage;
  const said: Said = {
    ...lists,
    kind,
    startsAt: wanted.startsAt ?? base.startsAt,
    endsAt: wanted.endsAt === undefined ? base.endsAt : wanted.endsAt,
    reason: before && (wanted.reason === undefined || wanted.reason === null) ? before.reason : checkSaid('reason', wanted.reason, REASON),
    ...(wanted.recurring
      ? checkRecurring(wanted.recurring, now)
      : { cron: base.cron, durationMs: base.durationMs, timeZone: base.timeZone }),
  };
  if (LISTS.every((field) => said[field].length === 0))
    throw new RequestError(
      'BAD_INPUT',
      `input: expected at least one of ${LISTS.join(', ')}; what covers every incident says nothing about any.`,
    );
  checkTimes(said, before, now);
  return said;
}

function checkValues(field: (typeof LISTS)[number], values: readonly string[], { knowledge, clusters }: SilencingFacts): string[] {
  if (values.length > MOST_VALUES) throw new RequestError('BAD_INPUT', `${field} holds more than ${MOST_VALUES} values.`);
  for (const value of values) {
    // An empty namespace is that of objects without one, such as Nodes.
    if (value === '' && field !== 'namespaces') throw new RequestError('BAD_INPUT', `${field} holds an empty text.`);
    checkText(field, value, 300);
    const unknown = (field === 'clusters' && !clusters.includes(value)) || (field === 'problems' && !knowledge.byId.has(value));
    if (unknown) throw new RequestError('BAD_INPUT', `${field}: ${JSON.stringify(value.slice(0, 100))} is not known.`);
  }
  return [...new Set(values)];
}

function checkRecurring(
  recurring: NonNullable<WantedSilencing['recurring']>,
  now: number,
): Pick<Schedule, 'cron' | 'durationMs' | 'timeZone'> {
  const { durationMinutes } = recurring;
  const cron = checkSaid('recurring.cron', recurring.cron, 100);
  const { name: timeZone } = timeZoneOf(recurring.timeZone);
  if (!Number.isInteger(durationMinutes) || durationMinutes < 1 || durationMinutes > MOST_MINUTES) {
    throw new RequestError(
      'BAD_INPUT',
      `recurring.durationMinutes: expected a whole number from 1 to ${MOST_MINUTES}, got ${durationMinutes}.`,
    );
  }
  const fault = faultOfCron(cron, timeZone, now);
  if (fault !== undefined) throw new RequestError('BAD_INPUT', `recurring.cron: expected ${fault}, got ${JSON.stringify(cron)}.`);
  return { cron, durationMs: durationMinutes * 60_000, timeZone };
}

function checkTimes({ startsAt, endsAt, cron }: Said, before: Silencing | null, now: number): void {
  const iso = (at: number): string => new Date(at).toISOString();
  if (startsAt !== before?.startsAt && startsAt < now - LENIENCE)
    throw new RequestError('BAD_INPUT', `startsAt: expected now or later, got ${iso(startsAt)}; it is ${iso(now)}.`);
  if (startsAt > now + HORIZON_DAYS * DAY)
    throw new RequestError('BAD_INPUT', `startsAt: expected within ${HORIZON_DAYS} days, got ${iso(startsAt)}.`);
  if (endsAt === null) {
    if (cron !== null) return;
    throw new RequestError('BAD_INPUT', 'endsAt: expected a time, because only what recurs may have no end.');
  }
  if (endsAt <= now) throw new RequestError('BAD_INPUT', `endsAt: expected a time to come, got ${iso(endsAt)}; it is ${iso(now)}.`);
  if (endsAt <= startsAt)
    throw new RequestError('BAD_INPUT', `endsAt: expected a time after startsAt (${iso(startsAt)}), got ${iso(endsAt)}.`);
  const most = cron === null ? MOST_DAYS : HORIZON_DAYS;
  if (endsAt - startsAt > most * DAY)
    throw new RequestError('BAD_INPUT', `endsAt: expected at most ${most} days after startsAt (${iso(startsAt)}), got ${iso(endsAt)}.`);
}

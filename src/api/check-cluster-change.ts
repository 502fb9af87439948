import { RequestError } from '../platform/refusal.js';
import { checkLabels, checkProvider, checkRegion } from './check-new-cluster.js';

/** A change of a registered cluster, as it came in: what is absent stays as it is, null puts the default in its place. */
export interface WantedChange {
  provider?: unknown;
  region?: unknown;
  labels?: unknown;
  eventsPerSecond?: number | null;
  maxBodyBytes?: number | null;
}

/** A change of a registered cluster, checked. */
export interface CheckedChange {
  provider?: ReturnType<typeof checkProvider>;
  region?: string | null;
  labels?: Record<string, string>;
  eventsPerSecond?: number | null;
  maxBodyBytes?: number | null;
}

const RATE = { least: 1, most: 1_000_000 };
const BODY = { least: 1024, most: 1024 * 1024 * 1024 };
/** For how long the credentials before a new one stay valid, seconds: a day unless said otherwise, a month at most. */
export const GRACE = { byDefault: 86_400, least: 0, most: 30 * 86_400 };
const MAX_REASON = 500;

/** Checks a change of a cluster. Throws RequestError BAD_INPUT that names the wrong field. */
export function checkClusterChange({ provider, region, labels, eventsPerSecond, maxBodyBytes }: WantedChange): CheckedChange {
  const change: CheckedChange = {
    ...(provider !== undefined && { provider: checkProvider(provider) }),
    ...(region !== undefined && { region: checkRegion(region) }),
    ...(labels !== undefined && { labels: checkLabels(labels) }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond: checkWithin('eventsPerSecond', eventsPerSecond, RATE) }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes: checkWithin('maxBodyBytes', maxBodyBytes, BODY) }),
  };
  if (Object.keys(change).length === 0) throw new RequestError('BAD_INPUT', 'input: expected at least one field to change.');
  return change;
}

/** Checks the seconds for which older credentials stay valid. Throws RequestError BAD_INPUT. */
export function checkGrace(seconds: number): number {
  return checkWithin('graceSeconds', seconds, GRACE)!;
}

/** Checks the guard of a removal: the cluster's name once more. Throws RequestError BAD_INPUT. */
export function checkConfirmed(name: string, confirm: string): string {
  if (confirm === name) return name;
  throw new RequestError(
    'BAD_INPUT',
    `confirm: expected the cluster's name ${JSON.stringify(name.slice(0, 100))} once more, because its whole history goes with it.`,
  );
}

/** Checks the reason of a suspension; none and an empty one are null. Throws RequestError BAD_INPUT. */
export function checkReason(reason: string | null | undefined): string | null {
  const text = reason?.trim() ?? '';
  if (text.length > MAX_REASON || text.includes('\0')) {
    throw new RequestError('BAD_INPUT', `reason: expected at most ${MAX_REASON} characters without NUL.`);
  }
  return text === '' ? null : text;
}

function checkWithin(field: string, value: number | null, { least, most }: { least: number; most: number }): number | null {
  if (value === null || (Number.isInteger(value) && value >= least && value <= most)) return value;
  throw new RequestError('BAD_INPUT', `${field}: expected a whole number from ${least} to ${most}, got ${value}.`);
}

const TIMES = ['firstTimestamp', 'lastTimestamp'] as const;
const BEFORE = /^T-(?:(\d+)h)?(?:(\d+)m)?$/;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;

/** An Event of a demo stream: core/v1, but its times are relative, such as `T-26h10m`. */
export interface DemoEvent {
  metadata: { uid: string };
  firstTimestamp: string;
  lastTimestamp: string;
}

/**
 * The moment that a demo stream ends at, milliseconds since the epoch: when the cluster was registered, or whole days
 * after it. So every start within a day tells the very same events, and a start on a later day tells new ones.
 */
export function anchorOf(registeredAt: number, now: number): number {
  const days = Math.max(0, Math.floor((now - registeredAt) / DAY));
  return Math.floor(registeredAt / 1000) * 1000 + days * DAY;
}

/** The event with absolute times, and with an identity that it shares only with itself at the same anchor. */
export function placeInTime<T extends DemoEvent>(event: T, anchor: number): T {
  const placed = { ...event, metadata: { ...event.metadata, uid: `${event.metadata.uid}@${isoSeconds(anchor)}` } };
  for (const field of TIMES) placed[field] = isoSeconds(anchor - before(event[field]));
  return placed;
}

function before(time: string): number {
  const [, hours = '0', minutes = '0'] = BEFORE.exec(time) ?? [];
  const result = Number(hours) * HOUR + Number(minutes) * MINUTE;
  if (result === 0) throw new Error(`"${time}" is no time of a demo stream; expected one such as T-26h10m`);
  return result;
}

function isoSeconds(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

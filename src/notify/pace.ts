/** What was told through a webhook lately. Times are milliseconds since the epoch. */
export interface Pace {
  windowAt: number | null;
  windowCount: number;
  /** The digest that is being gathered; null while messages go one by one. */
  stormId: string | null;
  stormAt: number | null;
}

/** From when on many messages become one. */
export interface StormLimits {
  /** Most messages one by one within `span`. */
  count: number;
  /** Milliseconds. */
  span: number;
}

/** How a number of messages goes out. */
export interface Paced {
  pace: Pace;
  /** How many of them go one by one; the others are gathered into the digest `pace.stormId`. */
  single: number;
}

/**
 * Decides how many of the next messages go one by one. `full` says that too many wait to be sent already. `nextId` is the id that
 * a digest gets that begins now.
 */
export function paceMessages(pace: Pace, limits: StormLimits, messages: number, full: boolean, now: number, nextId: string): Paced {
  if (pace.stormId !== null || messages === 0) return { pace, single: 0 };
  const fresh = pace.windowAt === null || now - pace.windowAt >= limits.span;
  const before = fresh ? 0 : pace.windowCount;
  const single = full ? 0 : Math.min(messages, Math.max(0, limits.count - before));
  const window = { windowAt: fresh ? now : pace.windowAt, windowCount: before + single };
  if (single === messages) return { pace: { ...window, stormId: null, stormAt: null }, single };
  return { pace: { ...window, stormId: nextId, stormAt: now }, single };
}

/** Whether the digest that is being gathered is to be told now. */
export function isDigestDue({ stormId, stormAt }: Pace, limits: StormLimits, now: number): boolean {
  // A storm that began in the future did so by a clock that has been set back.
  return stormId !== null && stormAt !== null && (now - stormAt >= limits.span || now < stormAt);
}

/** How it goes on after a digest of so many changes: with the next one while it storms, one by one when it has calmed. */
export function afterDigest(limits: StormLimits, changes: number, now: number, nextId: string): Pace {
  const calm = changes <= limits.count;
  return { windowAt: calm ? null : now, windowCount: 0, stormId: calm ? null : nextId, stormAt: calm ? null : now };
}

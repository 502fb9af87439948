import { scopeOf } from '../../platform/access.js';
import type { Caller, CallerCheck } from '../../platform/access.js';
import { refusalOf, RequestError } from '../../platform/refusal.js';

/** The token of an open stream is looked at again this often, milliseconds. */
const EVERY = 30_000;
/** Checks in a row that may not come about, for five minutes: while the database is away, whoever has been let in stays. */
const MOST_MISSED = 10;

/** The token that a stream was opened with. */
export interface HeldToken {
  /** The header; undefined when none was sent, and then there is nothing to look at. */
  authorization: string | undefined;
  /** Whose it was at the last check. */
  caller: Caller;
}

/**
 * Looks at the token of an open stream again and again. Calls `end` with the reason when it was revoked, has expired, may see something else
 * by now, or could not be checked for some minutes. Returns how to stop.
 */
export function recheckToken(callers: Pick<CallerCheck, 'admit'>, held: HeldToken, end: (error: unknown) => void): () => void {
  const { authorization } = held;
  if (authorization === undefined) return () => undefined;
  let missed = 0;
  const check = async (): Promise<void> => {
    try {
      const caller = await callers.admit(authorization, 'viewer');
      if (!sameRights(caller, held.caller)) throw new RequestError('FORBIDDEN', 'The rights of the token have changed.');
      held.caller = caller;
      missed = 0;
    } catch (error) {
      if (refusalOf(error).code !== 'BUSY' || ++missed >= MOST_MISSED) end(error);
    }
  };
  const timer = setInterval(() => void check(), EVERY);
  timer.unref();
  return () => clearInterval(timer);
}

function sameRights(a: Caller, b: Caller): boolean {
  return a.kind === b.kind && JSON.stringify(scopeOf(a)) === JSON.stringify(scopeOf(b));
}

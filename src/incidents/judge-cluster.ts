import { inWords } from './in-words.js';

/** How a cluster is doing, as far as can be told by what is heard of it. */
export type ClusterStatus = 'NEVER_HEARD' | 'TALKING' | 'QUIET' | 'SILENT' | 'SUSPENDED';

/** What a cluster is judged by. Times and lengths in milliseconds. */
export interface Heard {
  suspended: boolean;
  lastHeardAt: number | null;
  /** The pause that is too long; 0 for never, `auto` for a multiple of the usual one. */
  silenceAfter: number | 'auto';
  /** Its usual longest pause; null when it never pauses for a minute. */
  usualPause: number | null;
  /** Whether it has been heard often enough to tell what is usual. */
  wellKnown: boolean;
  /** The watch over it; null when it sends its events itself. */
  watch: { aliveAt: number | null; state: string; error: string | null } | null;
  /** Since when Casebook has been there and listening to it. */
  listeningSince: number;
  /** The last word before the silence that is raised already; null when none is. */
  silentSince: number | null;
}

/** A judgement with its reason. */
export interface Judgement {
  status: ClusterStatus;
  /** One English sentence. */
  reason: string;
  /** When it becomes, or became, silent, milliseconds since the epoch; null when it never will. */
  silentAt: number | null;
}

/** No pause up to this is a silence unless it is set so, milliseconds. */
const LEAST = 10 * 60_000;
/** How many times its usual longest pause a cluster may say nothing. */
const TIMES = 3;
/** Whoever was heard within this is talking, milliseconds. */
const TALKING = 5 * 60_000;

/**
 * Judges how a cluster is doing at `now`, milliseconds since the epoch. Nothing is held against it that Casebook could not
 * hear: silence counts from when it was last heard, or from when Casebook began to listen again.
 */
export function judgeCluster(heard: Heard, now: number): Judgement {
  const { lastHeardAt, watch, listeningSince } = heard;
  if (heard.suspended) return { status: 'SUSPENDED', reason: 'The cluster is suspended: nothing is taken from it.', silentAt: null };
  const alive = Math.max(lastHeardAt ?? -Infinity, watch?.aliveAt ?? -Infinity);
  if (alive === -Infinity) {
    const reason = watch ? `The watch over it has never worked${because(watch)}.` : 'It has never sent an event.';
    return { status: 'NEVER_HEARD', reason, silentAt: null };
  }
  const allowed = allowedPause(heard);
  const silentAt = allowed === null ? null : Math.max(alive, listeningSince) + allowed.pause;
  const since = lastHeardAt === null ? 'No event has come yet' : `No event has come for ${inWords(now - lastHeardAt)}`;
  // What is raised stays so until something is heard, whatever has become of the reasons for it.
  const raised = heard.silentSince !== null && alive <= heard.silentSince && heard.silenceAfter !== 0;
  if (raised || (silentAt !== null && silentAt <= now)) {
    const fault = watch ? `, and the watch over it does not work${because(watch)}` : '';
    return { status: 'SILENT', reason: `${since}${fault}${allowed ? `; ${allowed.why}` : ''}.`, silentAt };
  }
  if (lastHeardAt !== null && now - lastHeardAt <= TALKING) {
    return { status: 'TALKING', reason: `An event came ${inWords(now - lastHeardAt)} ago.`, silentAt };
  }
  if (watch && watch.aliveAt !== null && now - watch.aliveAt <= TALKING) {
    return { status: 'QUIET', reason: `${since}, and the watch over it works: nothing happens there.`, silentAt };
  }
  if (listeningSince > alive) return { status: 'QUIET', reason: `${since}; Casebook itself did not listen all that time.`, silentAt };
  return { status: 'QUIET', reason: `${since}; ${allowed?.why ?? 'whether that is usual cannot be told yet'}.`, silentAt };
}

/** How long it may say nothing, and why; null when that is not to be judged. */
function allowedPause({ silenceAfter, usualPause, wellKnown, watch }: Heard): { pause: number; why: string } | null {
  if (silenceAfter === 0) return null;
  if (silenceAfter !== 'auto') return { pause: silenceAfter, why: `it is set to be silent after ${inWords(silenceAfter)}` };
  // A watch shows that it works every minute, however little happens.
  if (watch) return { pause: LEAST, why: `a watch may be down for ${inWords(LEAST)}` };
  if (!wellKnown) return null;
  const pause = Math.max(LEAST, TIMES * (usualPause ?? 0));
  const usual = usualPause === null ? 'it does not usually pause for a minute' : `its usual longest pause is ${inWords(usualPause)}`;
  return { pause, why: `${usual}, so ${inWords(pause)} are allowed` };
}

function because({ state, error }: { state: string; error: string | null }): string {
  return error === null ? ` (${state})` : `: ${error.replace(/[.\s]+$/, '')}`;
}

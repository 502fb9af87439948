import type { InBoth, JudgementWords } from './judgement-words.js';
import { inBoth } from './judgement-words.js';

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
  /** One sentence. */
  reason: InBoth;
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
  if (heard.suspended) return { status: 'SUSPENDED', reason: inBoth(({ suspended }) => suspended), silentAt: null };
  const fault = ({ fault: say }: JudgementWords): string => (watch ? say(watch.state, watch.error) : '');
  const alive = Math.max(lastHeardAt ?? -Infinity, watch?.aliveAt ?? -Infinity);
  if (alive === -Infinity) {
    const reason = inBoth((words) => (watch ? words.watchNeverWorked(fault(words)) : words.neverSent));
    return { status: 'NEVER_HEARD', reason, silentAt: null };
  }
  const allowed = allowedPause(heard);
  const silentAt = allowed === null ? null : Math.max(alive, listeningSince) + allowed.pause;
  const since = (words: JudgementWords): string => (lastHeardAt === null ? words.noEventYet : words.noEventFor(now - lastHeardAt));
  // What is raised stays so until something is heard, whatever has become of the reasons for it.
  const raised = heard.silentSince !== null && alive <= heard.silentSince && heard.silenceAfter !== 0;
  if (raised || (silentAt !== null && silentAt <= now)) {
    const reason = inBoth((words) =>
      words.because(`${since(words)}${watch ? words.watchBroken(fault(words)) : ''}`, allowed && allowed.why(words)),
    );
    return { status: 'SILENT', reason, silentAt };
  }
  if (lastHeardAt !== null && now - lastHeardAt <= TALKING) {
    return { status: 'TALKING', reason: inBoth(({ cameAgo }) => cameAgo(now - lastHeardAt)), silentAt };
  }
  if (watch && watch.aliveAt !== null && now - watch.aliveAt <= TALKING) {
    return { status: 'QUIET', reason: inBoth((words) => words.nothingHappens(since(words))), silentAt };
  }
  if (listeningSince > alive) return { status: 'QUIET', reason: inBoth((words) => words.didNotListen(since(words))), silentAt };
  const reason = inBoth((words) => words.because(since(words), allowed ? allowed.why(words) : words.notTold));
  return { status: 'QUIET', reason, silentAt };
}

/** How long it may say nothing, and why; null when that is not to be judged. */
function allowedPause({
  silenceAfter,
  usualPause,
  wellKnown,
  watch,
}: Heard): { pause: number; why: (words: JudgementWords) => string } | null {
  if (silenceAfter === 0) return null;
  if (silenceAfter !== 'auto') return { pause: silenceAfter, why: ({ setTo }) => setTo(silenceAfter) };
  // A watch shows that it works every minute, however little happens.
  if (watch) return { pause: LEAST, why: ({ watchMayBeDown }) => watchMayBeDown(LEAST) };
  if (!wellKnown) return null;
  const pause = Math.max(LEAST, TIMES * (usualPause ?? 0));
  return { pause, why: (words) => words.allowed(usualPause === null ? words.neverPauses : words.usualPause(usualPause), pause) };
}

import type { ClusterEvent } from '../events/cluster-event.js';
import { alertToken, distinguishingCaptures, expectedTokens, signalsOf } from '../incidents/clearing.js';
import type { Clearing } from '../incidents/clearing.js';
import type { Delivery, SightedProblem } from '../incidents/delivery.js';
import type { Ending } from '../incidents/timeline.js';
import type { Provider } from '../knowledge/problem-file.js';
import type { Knowledge, Problem } from '../knowledge/problem.js';
import type { Diagnosis } from '../matching/diagnosis.js';
import { matchEvent } from '../matching/match-event.js';
import type { Matcher } from '../matching/compile-matcher.js';
import { tellsFailure } from '../matching/tells-failure.js';

/** Knowledge, compiled for recognising; replaced as a whole on reload. */
export interface Recogniser {
  knowledge: Knowledge;
  matcher: Matcher;
  clearing: Clearing;
  /** Reasons of failures that are of type Normal; see `failingReasons`. */
  failing: ReadonlySet<string>;
}

/** A problem of a log line, or of an object that is not named, ends by this much quiet, milliseconds: nothing else would tell of its end. */
const LOG_LINE_QUIET = 30 * 60_000;

/** Says everything that knowledge says about an event. */
export function recognise({ knowledge, matcher, clearing, failing }: Recogniser, event: ClusterEvent, provider: Provider): Delivery {
  const diagnosis = matchEvent(matcher, event, { provider })[0];
  const signals = signalsOf(event, diagnosis !== undefined, clearing);
  if (!diagnosis) return tellsFailure(event, failing) ? { event, signals, unexplained: true } : { event, signals };
  return { event, signals, sighted: sightedProblem(knowledge.byId.get(diagnosis.problem)!, event, diagnosis) };
}

function sightedProblem(problem: Problem, event: ClusterEvent, diagnosis: Diagnosis): SightedProblem {
  const container = problem.scope === 'container' ? event.object.container : distinguishingCaptures(problem, diagnosis.captured);
  return {
    id: problem.id,
    provider: problem.provider,
    code: problem.code ?? null,
    severity: problem.severity,
    diagnosis,
    ...endOf(problem, event, diagnosis, container),
  };
}

/** How this sighting's period ends, and what it is told apart by. */
function endOf(
  problem: Problem,
  { alert, object }: ClusterEvent,
  { captured }: Diagnosis,
  container: string,
): Pick<SightedProblem, 'container' | 'ending' | 'expects'> {
  if (alert) {
    // Told once when it begins to fire and once when it is resolved: silence says nothing, and nothing else is its end.
    const token = alertToken(alert);
    return { container: container + token, ending: { quiet: null, settle: 0 }, expects: [token] };
  }
  const nothingTellsOfTheEnd = object.kind === '' || object.name === '' || problem.clears.by === 'alert-resolved';
  if (nothingTellsOfTheEnd) return { container, ending: { quiet: LOG_LINE_QUIET, settle: 0 }, expects: [] };
  return { container, ending: endingOf(problem), expects: expectedTokens(problem, captured) };
}

/** How a problem's periods end. */
export function endingOf({ clears }: Problem): Ending {
  if (clears.by === 'object-gone' || clears.by === 'alert-resolved') return { quiet: null, settle: 0 };
  const settle = 'settle' in clears && clears.settle !== undefined ? milliseconds(clears.settle) : 0;
  return { quiet: clears.quiet === undefined ? null : milliseconds(clears.quiet), settle };
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Length of a duration such as `90s`, in milliseconds. */
export function milliseconds(duration: string): number {
  return Number.parseInt(duration, 10) * UNITS[duration.at(-1) as keyof typeof UNITS];
}

import type { ClusterEvent } from '../events/cluster-event.js';
import type { Problem } from '../knowledge/problem.js';

/** A reason that says by itself that something went wrong. */
const FAILING = /fail|error|unhealthy|denied|refused|rejected|timeout|timedout|unavailable|insufficient|backoff|invalid/i;
/** A line of a log that says that it is none of a failure: klog's header of information, and levels in the usual spellings. */
const INFORMATION = /^\s*I\d{4} \d\d:\d\d:|\b(?:level|severity)"?\s?[=:]\s?"?(?:info|debug|trace|notice)\b/i;
const HEAD = 300;

/**
 * The reasons, in lower case, that knowledge knows as failures of type Normal and never as something harmless: of all examples that
 * have to match and are Normal, those that no example of what must not match has.
 */
export function failingReasons(problems: Iterable<Problem>): Set<string> {
  const failing = new Set<string>();
  const harmless = new Set<string>();
  for (const { examples } of problems) {
    for (const { type, reason } of examples.match) if (type === 'Normal' && reason) failing.add(reason.toLowerCase());
    for (const { type, reason } of examples.noMatch) if (type !== 'Warning' && reason) harmless.add(reason.toLowerCase());
  }
  return new Set([...failing].filter((reason) => !harmless.has(reason)));
}

/**
 * Tells whether an event is about a failure, so that it needs a diagnosis: a Warning; a Normal event by its reason; one without a type
 * unless it says that it is information; never the end of an alert.
 */
export function tellsFailure({ type, reason, message, alert }: ClusterEvent, reasons: ReadonlySet<string>): boolean {
  if (alert?.resolved) return false;
  const word = type.toLowerCase();
  if (word === 'normal') return FAILING.test(reason) || reasons.has(reason.toLowerCase());
  if (word !== '') return word !== 'info' && word !== 'debug';
  return !INFORMATION.test(message.slice(0, HEAD));
}

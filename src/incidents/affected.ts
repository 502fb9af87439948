import type { Delivery, Signal } from './delivery.js';
import { GONE, MANUAL } from './delivery.js';
import { objectKey } from './object-key.js';
import type { Subject } from './subject-of.js';
import type { Ending, Interval, Mark, Resolution } from './timeline.js';

/** An object (and container) that shows a problem, with its latest period of failure. */
export interface Affected {
  objectKey: string;
  container: string;
  problemId: string;
  kind: string;
  namespace: string;
  name: string;
  ending: Ending;
  /** Tokens of the signals that end it. */
  expects: readonly string[];
  /** What the object belongs to, as far as is known. */
  subject: Subject;
  occurrences: number;
  firstAt: number;
  current: Interval;
}

/** Identity of an affected object inside its cluster. */
export function affectedKey(of: Pick<Affected, 'objectKey' | 'container' | 'problemId'>): string {
  return `${of.objectKey}|${of.container}|${of.problemId}`;
}

/** Key of the affected object that a delivery shows; undefined when it shows no problem. */
export function affectedKeyOf({ event, sighted }: Pick<Delivery, 'event' | 'sighted'>): string | undefined {
  return sighted && affectedKey({ objectKey: objectKey(event), container: sighted.container, problemId: sighted.id });
}

/** Whether a signal about the same object, or a person's about its incident, ends this problem on it. */
export function endsBy(affected: Pick<Affected, 'container' | 'expects'>, signal: Pick<Signal, 'container' | 'token'>): boolean {
  if (signal.token === GONE || signal.token === MANUAL) return true;
  if (affected.container !== '' && signal.container !== '' && affected.container !== signal.container) return false;
  return affected.expects.includes(signal.token);
}

const RESOLUTIONS: Partial<Record<string, Resolution>> = { [GONE]: 'OBJECT_GONE', [MANUAL]: 'MANUAL' };

/** The mark that a signal leaves on the timeline of an affected object. */
export function clearMark(signal: Pick<Signal, 'token' | 'at'>): Mark {
  return { kind: 'clear', at: signal.at, resolution: RESOLUTIONS[signal.token] ?? 'SUCCESS_EVENT' };
}

/** The better known of two subjects of one object; the same whichever came first. */
export function betterSubject(a: Subject, b: Subject): Subject {
  if (a.rank !== b.rank) return a.rank > b.rank ? a : b;
  if (a.key !== b.key) return a.key < b.key ? a : b;
  return a.kind <= b.kind ? a : b;
}

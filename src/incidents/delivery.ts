import type { ClusterEvent } from '../events/cluster-event.js';
import type { Provider, Severity } from '../knowledge/problem-file.js';
import type { Diagnosis } from '../matching/diagnosis.js';
import type { Ending } from './timeline.js';

/** One delivered event with everything that knowledge says about it. */
export interface Delivery {
  event: ClusterEvent;
  /** The problem that it shows, if any: the best of its diagnoses. */
  sighted?: SightedProblem;
  /** True when it tells of a failure that no problem explains. */
  unexplained?: true;
  /** Tokens of the endings that it announces for its object; see `signalsOf`. */
  signals: readonly Signal[];
}

/** A problem seen in an event, with all that deciding about the incident needs. */
export interface SightedProblem {
  id: string;
  provider: Provider;
  code: string | null;
  severity: Severity;
  /**
   * Container, or condition of a Node, that it is told apart by; empty for a problem of the whole object. Behind an `@` stands the
   * alert that it was told by, which nobody is shown.
   */
  container: string;
  ending: Ending;
  /** Tokens of the signals that end it. */
  expects: readonly string[];
  diagnosis: Diagnosis;
}

/** Word that an event gives about an object: something that may have been failing has ended. */
export interface Signal {
  objectKey: string;
  /** Container that it speaks of; empty for the whole object. */
  container: string;
  token: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Token of the end of an object; it ends every problem. */
export const GONE = '@gone';
/** Token of the end that a person set; it ends the problem of its incident. */
export const MANUAL = '@resolved';

import type { Signal } from './delivery.js';
import { MANUAL } from './delivery.js';
import { shortKey } from './object-key.js';

/**
 * What the ends are stored under that people set for an incident. By the problem and the subject, so that they also end what is
 * heard of later on objects that nobody knew of when the incident was resolved. No key of an object begins with an `@`.
 */
export function manualKey(problemId: string, subjectKey: string): string {
  return shortKey(`@incident/${problemId}|${subjectKey}`);
}

/** The mark of a person who resolves an incident at a moment, milliseconds since the epoch. */
export function manualEnd({ problemId, subjectKey }: { problemId: string; subjectKey: string }, at: number): Signal {
  return { objectKey: manualKey(problemId, subjectKey), container: '', token: MANUAL, at };
}

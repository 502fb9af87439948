import { betterSubject } from '../incidents/affected.js';
import type { Subject } from '../incidents/subject-of.js';

/**
 * The best known subject of each object. What one event knows of the owner holds for every problem of the object, seen
 * before or after.
 */
export function subjectsOfObjects(known: Iterable<{ objectKey: string; subject: Subject }>): Map<string, Subject> {
  const best = new Map<string, Subject>();
  for (const { objectKey, subject } of known) {
    const other = best.get(objectKey);
    best.set(objectKey, other ? betterSubject(other, subject) : subject);
  }
  return best;
}

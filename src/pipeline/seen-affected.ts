import type { Affected } from '../incidents/affected.js';
import { affectedKeyOf, betterSubject } from '../incidents/affected.js';
import type { Delivery, SightedProblem } from '../incidents/delivery.js';
import { objectKey } from '../incidents/object-key.js';
import type { Subject } from '../incidents/subject-of.js';
import { subjectOf } from '../incidents/subject-of.js';

/** What a batch says about one affected object, over all its deliveries. */
export interface SeenAffected {
  key: string;
  objectKey: string;
  subject: Subject;
  sighted: SightedProblem;
  object: Pick<Affected, 'kind' | 'namespace' | 'name'>;
  /** The delivery whose diagnosis is shown. */
  diagnosis: unknown;
  diagnosisOrder: string;
}

/** Gathers what deliveries say about each affected object. */
export function seenAffected(deliveries: readonly Delivery[]): Map<string, SeenAffected> {
  const seen = new Map<string, SeenAffected>();
  for (const delivery of deliveries) {
    const { event, sighted } = delivery;
    const key = affectedKeyOf(delivery);
    if (!sighted || key === undefined) continue;
    const subject = subjectOf(event);
    const order = diagnosisOrder(delivery);
    const known = seen.get(key);
    if (!known) {
      const { kind, namespace, name } = event.object;
      const object = { kind, namespace, name: kind === '' && name === '' ? subject.name : name };
      seen.set(key, { key, objectKey: objectKey(event), subject, sighted, object, diagnosis: sighted.diagnosis, diagnosisOrder: order });
      continue;
    }
    known.subject = betterSubject(known.subject, subject);
    if (order > known.diagnosisOrder) {
      known.diagnosisOrder = order;
      known.diagnosis = sighted.diagnosis;
      known.sighted = sighted;
    }
  }
  return seen;
}

/** Sorts as text like (time, count, uid): the diagnosis of the latest happening is the one shown. */
function diagnosisOrder({ event }: Delivery): string {
  return `${String(event.lastAt).padStart(16, '0')} ${String(event.count).padStart(10, '0')} ${event.uid}`;
}

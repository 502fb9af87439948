import type { ClusterEvent } from '../events/cluster-event.js';
import { affectedKeyOf, clearMark, endsBy } from '../incidents/affected.js';
import { assignGrowth } from '../incidents/assign-growth.js';
import type { Signal } from '../incidents/delivery.js';
import { objectKey } from '../incidents/object-key.js';
import { subjectOf } from '../incidents/subject-of.js';
import type { Ending, Mark } from '../incidents/timeline.js';
import { extendTimeline, settleQuiet } from '../incidents/timeline.js';
import type { Provider } from '../knowledge/problem-file.js';
import type { StoredEvent } from '../store/queries/find-stored-events.js';
import type { Recogniser } from './recognise.js';
import { recognise } from './recognise.js';

/** An incident that stored Events make under some knowledge. */
export interface ReplayedIncident {
  cluster: string;
  problem: string;
  subject: { kind: string; namespace: string; name: string };
  /** Whether it is open at the moment to which is replayed. */
  open: boolean;
  /** Event objects that show it. */
  events: string[];
  message: string;
}

interface ReplayedObject {
  cluster: string;
  problem: string;
  objectKey: string;
  container: string;
  expects: readonly string[];
  ending: Ending;
  marks: Mark[];
  events: string[];
  event: ClusterEvent;
}

/** What stored Events come to under one set of knowledge: the same rules as at intake, applied in memory. */
export class ReplaySide {
  readonly #objects = new Map<string, ReplayedObject>();
  readonly #signals = new Map<string, Signal[]>();
  readonly #subjects = new Map<string, NonNullable<StoredEvent['subject']>>();

  constructor(readonly recogniser: Recogniser) {}

  /** Takes in one Event; returns the problem that it shows, null for none. */
  add({ event, provider, cluster, subject }: StoredEvent): string | null {
    const delivery = recognise(this.recogniser, event, provider as Provider);
    for (const signal of delivery.signals) {
      const key = `${cluster}|${signal.objectKey}`;
      const list = this.#signals.get(key);
      if (list) list.push(signal);
      else this.#signals.set(key, [signal]);
    }
    const affected = affectedKeyOf(delivery);
    if (subject) this.#subjects.set(`${cluster}|${objectKey(event)}`, subject);
    const { sighted } = delivery;
    if (!sighted || affected === undefined) return null;
    const key = `${cluster}|${affected}`;
    const { container, expects, ending, id: problem } = sighted;
    const known = this.#objects.get(key) ?? {
      cluster,
      problem,
      container,
      expects,
      ending,
      event,
      objectKey: objectKey(event),
      marks: [],
      events: [],
    };
    const first = { count: 1, at: event.firstAt, affected };
    const latest = { count: event.count, at: event.lastAt, affected };
    const observations = event.count === 1 && event.firstAt === event.lastAt ? [latest] : [first, latest];
    for (const { at, since } of assignGrowth(observations, () => ending.quiet)) known.marks.push({ kind: 'sighting', at, since });
    known.events.push(`${cluster}|${event.uid}`);
    if (event.lastAt > known.event.lastAt) known.event = event;
    this.#objects.set(key, known);
    return problem;
  }

  /** The incidents at `now`, milliseconds since the epoch, by cluster, problem and subject. */
  incidents(now: number): Map<string, ReplayedIncident> {
    const incidents = new Map<string, ReplayedIncident>();
    for (const object of this.#objects.values()) {
      const { cluster, problem, event } = object;
      const subject = this.#subjects.get(`${cluster}|${object.objectKey}`) ?? subjectOf(event);
      const key = `${cluster}|${problem}|${subject.key}`;
      const open = this.#isOpen(object, now);
      const known = incidents.get(key);
      if (known) {
        known.open ||= open;
        known.events.push(...object.events);
      } else {
        const { kind, namespace, name } = subject;
        incidents.set(key, {
          cluster,
          problem,
          subject: { kind, namespace, name },
          open,
          events: [...object.events],
          message: event.message,
        });
      }
    }
    return incidents;
  }

  #isOpen(object: ReplayedObject, now: number): boolean {
    const signals = (this.#signals.get(`${object.cluster}|${object.objectKey}`) ?? []).filter((signal) => endsBy(object, signal));
    const intervals = settleQuiet(extendTimeline([], [...object.marks, ...signals.map(clearMark)], object.ending), object.ending, now);
    return intervals.at(-1)?.endedAt === null;
  }
}

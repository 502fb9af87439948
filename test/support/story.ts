import { resolve } from 'node:path';
import { readValues } from '../../src/events/read-body.js';
import { compileClearing } from '../../src/incidents/clearing.js';
import { inspectKnowledge } from '../../src/knowledge/knowledge.loader.js';
import type { Provider } from '../../src/knowledge/problem-file.js';
import { compileMatcher } from '../../src/matching/compile-matcher.js';
import { failingReasons } from '../../src/matching/tells-failure.js';
import { recognise } from '../../src/pipeline/recognise.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import type { IncidentState, TestIntake } from './stream.js';

/** Loads the bundled knowledge as the service does. */
export async function bundledRecogniser(): Promise<Recogniser> {
  const { knowledge } = await inspectKnowledge({ bundled: resolve('knowledge') });
  const { problems } = knowledge;
  return { knowledge, matcher: compileMatcher(problems), clearing: compileClearing(problems), failing: failingReasons(problems) };
}

/** What a story says about one event; the rest is filled in as a kubelet or controller would. */
export interface Told {
  kind?: string;
  name?: string;
  namespace?: string;
  container?: string;
  /** Owner of the object, for senders that pass it on. */
  owner?: { kind: string; name: string };
  reason: string;
  message: string;
  type?: string;
  reporter?: string;
  /** Identity of the Event object; one of its own for each event by default. */
  uid?: string;
  count?: number;
  /** First happening, as a time of the story; default: when it is told. */
  first?: string;
  /** Latest happening, when it is told later than it happened. */
  last?: string;
}

let told = 0;
let clusters = 0;

/** A cluster whose events are told by the minute on a clock of the story's own: `push` at a time, `expect` by a time. */
export class Story {
  #clusterId: number | undefined;

  constructor(
    private readonly intake: TestIntake,
    private readonly recogniser: Recogniser,
    private readonly provider: Provider = 'kubernetes',
  ) {}

  /** Delivers events at a time of the story, such as `10:05` or `+3d 10:05`, in one batch. */
  async push(time: string, ...events: Told[]): Promise<boolean[]> {
    const now = timeOf(time);
    const { events: read, rejected } = readValues(
      events.map((event) => coreEvent(event, time)),
      { now },
    );
    if (rejected.length > 0) throw new Error(`the story tells no proper event: ${rejected[0]!.reason}`);
    const deliveries = read.map(({ event }) => recognise(this.recogniser, event, this.provider));
    return this.intake.push(await this.cluster(), deliveries, now);
  }

  /** What the incidents look like by a time, each as `problem subject: status`, with what ended it. */
  async by(time: string): Promise<string[]> {
    return (await this.state(time)).map((incident) => `${incident.problem} ${incident.subject}: ${statusOf(incident)}`);
  }

  /** The incidents by a time in full. */
  async state(time: string): Promise<IncidentState[]> {
    await this.intake.settle(await this.cluster(), timeOf(time));
    return this.intake.state(await this.cluster());
  }

  async cluster(): Promise<number> {
    return (this.#clusterId ??= await this.intake.cluster(`story-${clusters++}`, this.provider));
  }
}

function statusOf({ status, resolvedBy, resolvedAt, episodes }: IncidentState): string {
  const times = episodes.length > 1 ? ` (episode ${episodes.length})` : '';
  return resolvedAt === null ? `${status}${times}` : `${status} ${resolvedBy} ${clockOf(resolvedAt)}${times}`;
}

const DAY = 86_400_000;
const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');

/** Milliseconds since the epoch of a time of the story. */
export function timeOf(time: string): number {
  const [, days = '0', hours, minutes, seconds = '0'] = /^(?:\+(\d+)d )?(\d\d):(\d\d)(?::(\d\d))?$/.exec(time) ?? [];
  if (hours === undefined) throw new Error(`"${time}" is no time of a story`);
  return MIDNIGHT + Number(days) * DAY + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}

function clockOf(at: number): string {
  const days = Math.floor((at - MIDNIGHT) / DAY);
  const clock = new Date(at).toISOString().slice(11, 19).replace(/:00$/, '');
  return days === 0 ? clock : `+${days}d ${clock}`;
}

function coreEvent(event: Told, time: string): unknown {
  const {
    kind = 'Pod',
    name = 'web-6f9c7d8b5-x2x9z',
    namespace = 'shop',
    container,
    owner,
    reason,
    message,
    type = 'Warning',
    reporter = 'kubelet',
  } = event;
  const iso = (at: string): string => new Date(timeOf(at)).toISOString().replace('.000Z', 'Z');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${told}`, namespace, uid: event.uid ?? `event-${told++}` },
    involvedObject: {
      kind,
      name,
      ...(kind !== 'Node' && { namespace }),
      ...(container && { fieldPath: `spec.containers{${container}}` }),
      ...(owner && { ownerReferences: [{ ...owner, controller: true }] }),
    },
    reason,
    message,
    type,
    source: { component: reporter },
    count: event.count ?? 1,
    firstTimestamp: iso(event.first ?? event.last ?? time),
    lastTimestamp: iso(event.last ?? time),
  };
}

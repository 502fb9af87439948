import { randomBytes } from 'node:crypto';
import type { SeededRandom } from '../../test/support/seeded-random.js';
import { SHAPES } from './event-shapes.js';
import type { Patient, Shape } from './event-shapes.js';

/** A core/v1 Event as a cluster's API serves it; about 1.2 KB of JSON. */
export interface CoreEvent {
  metadata: { uid: string; [field: string]: unknown };
  count: number;
  lastTimestamp: string;
  [field: string]: unknown;
}

/** A sender's deliveries in their order, and what they must have left behind. */
export interface EventStream {
  deliveries: CoreEvent[];
  expected: Expected;
}

/** What a store must hold after a stream; counted by the maker of the events, not by the code under test. */
export interface Expected {
  /** Distinct Event objects. */
  events: number;
  /** Happenings of Events that show a problem: the highest count of each. */
  occurrences: number;
  /** Distinct pairs of problem and subject. */
  incidents: Set<string>;
  /** Deliveries that were new or had grown. */
  accepted: number;
}

const NAMESPACES = 20;
const WORKLOADS = 30;
const PODS = 6;
/** Part of the workloads that have trouble, and part of the events that tell of it. */
const TROUBLED = 0.25;
const FAILING = 0.4;
const REPEATS = 0.2;
/** Time that a stream spans, and how far a sender's events are out of order, milliseconds. */
const SPAN = 3_600_000;
const JITTER = 5_000;

/**
 * Makes `count` deliveries of one sender over the hour before `now`, in order but for a few seconds; a fifth of them
 * repeat an earlier one, half of those with a greater count.
 */
export function makeStream(random: SeededRandom, count: number, sender: string, now: number): EventStream {
  const patients = makePatients(random, sender);
  const troubled = patients.slice(0, patients.length * TROUBLED);
  const failing = SHAPES.filter(({ problem }) => problem !== null);
  const normal = SHAPES.filter(({ problem }) => problem === null);
  const deliveries: CoreEvent[] = [];
  const told: { event: CoreEvent; shape: Shape }[] = [];
  const expected: Expected = { events: 0, occurrences: 0, incidents: new Set(), accepted: 0 };
  while (deliveries.length < count) {
    const at = now - SPAN + Math.floor((deliveries.length / count) * SPAN) - random.below(JITTER);
    if (told.length > 0 && random.chance(REPEATS)) {
      const known = random.pick(told);
      if (random.chance(0.5)) {
        const growth = 1 + random.below(9);
        const lastTimestamp = seconds(Math.max(at, Date.parse(known.event.lastTimestamp)));
        known.event = { ...known.event, count: known.event.count + growth, lastTimestamp };
        expected.accepted++;
        if (known.shape.problem !== null) expected.occurrences += growth;
      }
      deliveries.push(known.event);
      continue;
    }
    const fails = random.chance(FAILING);
    const shape = random.pick(fails ? failing : normal);
    const patient = random.pick(fails ? troubled : patients);
    const event = makeEvent(random, shape, patient, at);
    deliveries.push(event);
    told.push({ event, shape });
    expected.events++;
    expected.accepted++;
    if (shape.problem !== null) {
      expected.occurrences += event.count;
      expected.incidents.add(`${shape.problem} ${shape.kind === 'Pod' ? patient.deployment : patient.node}`);
    }
  }
  return { deliveries, expected };
}

function makePatients(random: SeededRandom, sender: string): Patient[] {
  const hash = (length: number): string => Array.from({ length }, () => random.pick([...'bcdf456789'])).join('');
  return Array.from({ length: NAMESPACES * WORKLOADS }, (_, i) => {
    const namespace = `team-${sender}-${i % NAMESPACES}`;
    const deployment = `${random.pick(['web', 'api', 'worker', 'cart', 'search', 'billing'])}-${Math.floor(i / NAMESPACES)}`;
    const replicaSet = `${deployment}-${hash(10)}`;
    return Array.from({ length: PODS }, (): Patient => {
      const node = `node-${sender}-${random.below(40)}`;
      return {
        namespace,
        deployment: `${namespace}/${deployment}`,
        pod: `${replicaSet}-${hash(5)}`,
        node,
        image: `registry.shop.example/${deployment}:1.${random.below(40)}.${random.below(9)}`,
      };
    });
  }).flat();
}

function makeEvent(random: SeededRandom, shape: Shape, patient: Patient, at: number): CoreEvent {
  const { kind, reason, type, reporter, container } = shape;
  const count = shape.problem === null ? 1 : 1 + random.below(6);
  const firstTimestamp = seconds(at - (count - 1) * 15_000);
  const lastTimestamp = seconds(at);
  const name = kind === 'Pod' ? patient.pod : patient.node;
  const uid = uuid();
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {
      name: `${name}.${randomBytes(8).toString('hex')}`,
      namespace: kind === 'Pod' ? patient.namespace : 'default',
      uid,
      resourceVersion: String(4_000_000 + random.below(900_000)),
      creationTimestamp: firstTimestamp,
      managedFields: [
        {
          manager: reporter,
          operation: 'Update',
          apiVersion: 'v1',
          time: lastTimestamp,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:count': {},
            'f:firstTimestamp': {},
            'f:involvedObject': {},
            'f:lastTimestamp': {},
            'f:message': {},
            'f:reason': {},
            'f:reportingComponent': {},
            'f:source': { 'f:component': {}, 'f:host': {} },
            'f:type': {},
          },
        },
      ],
    },
    involvedObject: {
      kind,
      ...(kind === 'Pod' && { namespace: patient.namespace }),
      name,
      uid: kind === 'Pod' ? uuid() : name,
      apiVersion: 'v1',
      resourceVersion: String(3_000_000 + random.below(900_000)),
      ...(container && { fieldPath: 'spec.containers{app}' }),
    },
    reason,
    message: shape.message(patient, random),
    source: { component: reporter, host: patient.node },
    firstTimestamp,
    lastTimestamp,
    count,
    type,
    eventTime: null,
    reportingComponent: reporter,
    reportingInstance: patient.node,
  };
}

function seconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

function uuid(): string {
  const hex = randomBytes(16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

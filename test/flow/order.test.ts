import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import type { Delivery, Signal, SightedProblem } from '../../src/incidents/delivery.js';
import { GONE } from '../../src/incidents/delivery.js';
import { objectKey } from '../../src/incidents/object-key.js';
import { endByHand, takeBackEnd } from '../../src/pipeline/mark-by-hand.js';
import type { IntakeTransaction } from '../../src/store/intake.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import type { IncidentState } from '../support/stream.js';
import { TestIntake } from '../support/stream.js';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T10:30:00Z');
const NOW = START + 24 * 60 * MINUTE;

let database: TestDatabase;
let intake: TestIntake;
let clusters = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

const problem = (id: string, quiet: number | null, expects: string[], settle = 0): Omit<SightedProblem, 'diagnosis' | 'container'> => ({
  id,
  provider: 'kubernetes',
  code: null,
  severity: 'error',
  ending: { quiet, settle },
  expects,
});

const PROBLEMS = [
  problem('kubernetes/test/quiet', 10 * MINUTE, []),
  problem('kubernetes/test/success', null, ['done']),
  problem('kubernetes/test/both', 20 * MINUTE, ['done', 'fine']),
  problem('kubernetes/test/settling', null, ['done'], 3 * MINUTE),
];
const OBJECTS = [
  { kind: 'Pod', name: 'web-6f9c7d8b5-x2x9z', owner: { kind: 'ReplicaSet', name: 'web-6f9c7d8b5' } },
  { kind: 'Pod', name: 'web-6f9c7d8b5-bbbbb', owner: { kind: 'ReplicaSet', name: 'web-6f9c7d8b5' } },
  { kind: 'Pod', name: 'db-0', owner: { kind: 'StatefulSet', name: 'db' } },
  { kind: 'Node', name: 'node-1' },
  // A log line has no object.
  { kind: '', name: '' },
];

function event(
  uid: string,
  at: Partial<ClusterEvent>,
  object: (typeof OBJECTS)[number],
  knowsOwner: boolean,
  container = '',
): ClusterEvent {
  const { owner, ...rest } = object;
  return {
    uid,
    reason: 'Test',
    message: `message of ${uid}`,
    type: 'Warning',
    reporter: 'kubelet',
    host: 'node-1',
    object: { ...rest, namespace: object.kind === 'Pod' ? 'shop' : '', uid: '', container, ...(knowsOwner && owner && { owner }) },
    count: 1,
    firstAt: START,
    lastAt: START,
    timed: true,
    ...at,
  };
}

/** The incidents of a cluster, each of which counts an object once, in however many containers it shows the problem. */
async function stateOf(cluster: number): Promise<IncidentState[]> {
  const incidents = await intake.state(cluster);
  const objects = incidents.map((incident) => new Set(incident.objects.map(({ object }) => object)).size);
  expect(incidents.map(({ affected }) => affected)).toEqual(objects);
  return incidents;
}

/** The life of one Event: growing counts at growing times, as different senders catch it. */
const failingEvent = fc.record({
  id: fc.nat(1_000_000),
  problem: fc.constantFrom(...PROBLEMS),
  object: fc.constantFrom(...OBJECTS),
  container: fc.constantFrom('', 'app', 'sidecar'),
  first: fc.nat(120),
  steps: fc.array(
    fc.record({
      // The count may stand still while the time moves, and the time while the count moves.
      growth: fc.nat(9),
      minutes: fc.oneof(fc.constant(0), fc.nat(45)),
      knowsOwner: fc.boolean(),
      twice: fc.boolean(),
      // Another sender may know of an earlier beginning, or of none.
      began: fc.constantFrom(0, 0, -7, 3, Infinity),
      // The message of an Event may change, to another problem or to none that is known.
      shows: fc.constantFrom('same', 'same', 'same', 'other', 'none'),
      saysGone: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

const endingEvent = fc.record({
  object: fc.constantFrom(...OBJECTS),
  container: fc.constantFrom('', 'app', 'sidecar'),
  token: fc.constantFrom('done', 'fine', GONE),
  at: fc.nat(300),
});

function deliveriesOf(story: { failing: readonly Failing[]; endings: readonly Ending[] }): Delivery[] {
  return [...story.failing.flatMap(failures), ...story.endings.map(ending)];
}
type Failing = typeof failingEvent extends fc.Arbitrary<infer T> ? T : never;
type Ending = typeof endingEvent extends fc.Arbitrary<infer T> ? T : never;

function failures({ id, problem: sighted, object, container, first, steps }: Failing): Delivery[] {
  const uid = `${sighted.id}-${object.name}-${container}-${id}`;
  const firstAt = START + first * MINUTE;
  const other = PROBLEMS[(PROBLEMS.indexOf(sighted) + 1) % PROBLEMS.length]!;
  let count = 1;
  let lastAt = firstAt;
  return steps.flatMap(({ growth, minutes, knowsOwner, twice, began, shows, saysGone }, i) => {
    count += growth;
    lastAt += (i === 0 && count === 1 ? 0 : minutes) * MINUTE;
    const { id: problem } = shows === 'other' ? other : sighted;
    const diagnosis = { problem, confidence: 0.9, matchedOn: uid, captured: { count: String(count) } };
    // A second sender may tell the same, and know more or less: about the owner, the beginning, the end of the object.
    return [true, ...(twice ? [false] : [])].map((isFirst): Delivery => {
      const since = Math.min(lastAt, isFirst ? firstAt : firstAt + began * MINUTE);
      const told = event(uid, { count, firstAt: since, lastAt, message: shows }, object, knowsOwner === isFirst, container);
      const signals: Signal[] = !isFirst && saysGone ? [{ objectKey: objectKey(told), container: '', token: GONE, at: lastAt }] : [];
      return {
        event: told,
        signals,
        ...(shows !== 'none' && { sighted: { ...(shows === 'other' ? other : sighted), container, diagnosis } }),
      };
    });
  });
}

function ending({ object, container, token, at }: Ending): Delivery {
  const told = event(
    `end-${object.name}-${container}-${token}-${at}`,
    { firstAt: START + at * MINUTE, lastAt: START + at * MINUTE, type: 'Normal' },
    object,
    false,
    container,
  );
  const signal: Signal = { objectKey: objectKey(told), container: token === GONE ? '' : container, token, at: told.lastAt };
  return { event: told, signals: [signal] };
}

async function replay(batches: readonly (readonly Delivery[])[]): Promise<unknown> {
  const cluster = await intake.cluster(`order-${clusters++}`);
  for (const batch of batches) await intake.push(cluster, batch, NOW);
  await intake.settle(cluster, NOW);
  const rollups = await intake.rollups(cluster);
  expect(rollups).toEqual(await intake.recount(cluster));
  return { incidents: await stateOf(cluster), rollups };
}

type Said = { what: string; minute: number; after: number };

/** Objects that keep their subject, whoever tells of them. */
const knowsItsSubject = ({ event }: Delivery): boolean => event.object.kind !== 'Pod' || event.object.owner !== undefined;

/** Replays batches, and says things of the first incident after so many of them; what is not said by then, at the end. */
async function replaySaid(batches: readonly (readonly Delivery[])[], said: readonly Said[]): Promise<unknown> {
  const cluster = await intake.cluster(`order-${clusters++}`);
  const say = async (due: readonly Said[]): Promise<void> => {
    for (const each of due) await intake.repository.transaction(cluster, (transaction) => sayOf(transaction, each), { heard: false });
  };
  for (const [i, batch] of batches.entries()) {
    await intake.push(cluster, batch, NOW);
    await say(said.filter(({ after }) => after === i));
  }
  await say(said.filter(({ after }) => after >= batches.length));
  await intake.settle(cluster, NOW);
  const rollups = await intake.rollups(cluster);
  expect(rollups).toEqual(await intake.recount(cluster));
  return { incidents: await stateOf(cluster), rollups };
}

async function sayOf(transaction: IntakeTransaction, { what, minute }: Said): Promise<void> {
  const [{ id }] = (await intake.database.rows<{ id: string }>(
    'SELECT incident_id AS id FROM affected WHERE cluster_id = (SELECT max(id) FROM cluster) ORDER BY affected.id LIMIT 1',
  )) as [{ id: string }];
  const incident = (await transaction.findWork(id))!;
  // One that is taken back shares its moment with no other, whose mark would go with it.
  const at = START + minute * MINUTE + (what === 'reopened' ? 1000 : 0);
  // The latest acknowledgement counts.
  if (what === 'acknowledge') {
    if ((incident.acknowledgedAt ?? 0) < at) await transaction.setAcknowledged(id, { at, by: 'somebody' });
    return;
  }
  await endByHand(transaction, incident, at, NOW);
  if (what === 'reopened') await takeBackEnd(transaction, incident, at, NOW);
}

function cut<T>(values: readonly T[], sizes: readonly number[]): T[][] {
  const batches: T[][] = [];
  for (let from = 0, i = 0; from < values.length; i++) {
    const size = sizes[i % sizes.length]!;
    batches.push(values.slice(from, from + size));
    from += size;
  }
  return batches;
}

const byTime = (a: Delivery, b: Delivery): number => a.event.lastAt - b.event.lastAt || (a.event.uid < b.event.uid ? -1 : 1);

describe('the order of arrival', () => {
  it('leaves no trace: any permutation, repetition and cut into batches ends in the same incidents, counts and roll-ups', async () => {
    const story = fc.record({
      failing: fc.array(failingEvent, { minLength: 1, maxLength: 6 }),
      endings: fc.array(endingEvent, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
        async (told, dice, sizes) => {
          const once = deliveriesOf(told);
          const repeated = [...once, ...once.filter((_, i) => dice[i % dice.length]! % 3 === 0)];
          const shuffled = repeated
            .map((delivery, i) => ({ delivery, key: (dice[i % dice.length]! * 7919 + i * 104729) % 99991 }))
            .sort((a, b) => a.key - b.key)
            .map(({ delivery }) => delivery);
          const expected = await replay([[...once].sort(byTime)]);
          expect(await replay(cut([...once].sort(byTime), [1]))).toEqual(expected);
          expect(await replay(cut(shuffled, sizes))).toEqual(expected);
          expect(
            await replay(
              cut(
                [...once].sort((a, b) => byTime(b, a)),
                sizes,
              ),
            ),
          ).toEqual(expected);
        },
      ),
      { numRuns: 30, seed: 20_261_120 },
    );
  }, 120_000);

  it('leaves no trace among events of one instant, however often that instant fails and ends', async () => {
    const [sighted] = PROBLEMS.filter(({ expects }) => expects.length === 1);
    const failed = (i: number): Delivery => {
      const told = event(`failed-${i}`, {}, OBJECTS[2]!, false);
      return {
        event: told,
        signals: [],
        sighted: { ...sighted!, container: '', diagnosis: { problem: sighted!.id, confidence: 0.9, matchedOn: '', captured: {} } },
      };
    };
    const ended = (i: number): Delivery => {
      const told = event(`ended-${i}`, { type: 'Normal' }, OBJECTS[2]!, false, `c${i}`);
      return { event: told, signals: [{ objectKey: objectKey(told), container: `c${i}`, token: 'done', at: START }] };
    };
    const told = [1, 2, 3, 4].flatMap((i) => [failed(i), ended(i)]);
    const expected = await replay([told]);
    expect(expected).toMatchObject({ incidents: [{ status: 'resolved', occurrences: 4, episodes: [{ start: START, end: START }] }] });
    expect(await replay(cut(told, [1]))).toEqual(expected);
  });

  it('leaves no trace between what people say of an incident and events, whichever comes first', async () => {
    const story = fc.record({
      failing: fc.array(failingEvent, { minLength: 1, maxLength: 5 }),
      endings: fc.array(endingEvent, { maxLength: 6 }),
      said: fc.array(
        fc.record({ what: fc.constantFrom('acknowledge', 'resolve', 'resolve', 'reopened'), minute: fc.nat(300), after: fc.nat(40) }),
        { minLength: 1, maxLength: 4 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
        async ({ said, ...told }, dice, sizes) => {
          const all = deliveriesOf(told).filter(knowsItsSubject).sort(byTime);
          fc.pre(all.some(({ sighted }) => sighted));
          // The incident that people speak of is known before they speak of it.
          const first = all.find(({ sighted }) => sighted)!;
          const rest = all.filter((delivery) => delivery !== first);
          const shuffled = rest
            .map((delivery, i) => ({ delivery, key: (dice[i % dice.length]! * 7919 + i * 104729) % 99991 }))
            .sort((a, b) => a.key - b.key)
            .map(({ delivery }) => delivery);
          // An end that was taken back at last was never said.
          const atTheEnd = said.filter(({ what }) => what !== 'reopened').map((each) => ({ ...each, after: Infinity }));
          const expected = await replaySaid([[first], rest], atTheEnd);
          expect(await replaySaid([[first], ...cut(rest, [1])], said)).toEqual(expected);
          expect(await replaySaid([[first], ...cut(shuffled, sizes)], said)).toEqual(expected);
          expect(await replaySaid([[first], ...cut([...shuffled].reverse(), sizes)], [...said].reverse())).toEqual(expected);
        },
      ),
      { numRuns: 15, seed: 20_261_121 },
    );
  }, 120_000);

  it('counts an Event without any time once, in one batch as in several', async () => {
    const untimed = (receivedAt: number): Delivery => {
      const told = event('untimed', { firstAt: receivedAt, lastAt: receivedAt, timed: false }, OBJECTS[2]!, false);
      return {
        event: told,
        signals: [],
        sighted: { ...PROBLEMS[0]!, container: '', diagnosis: { problem: PROBLEMS[0]!.id, confidence: 0.9, matchedOn: '', captured: {} } },
      };
    };
    const told = [untimed(START), untimed(START + MINUTE)];
    const expected = await replay(cut(told, [1]));
    expect(expected).toMatchObject({ incidents: [{ occurrences: 1, last: START }] });
    expect(await replay([told])).toEqual(expected);
  });
});

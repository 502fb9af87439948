import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readValues } from '../../src/events/read-body.js';
import { recognise } from '../../src/pipeline/recognise.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';

const NOW = Date.parse('2026-03-05T00:00:00Z');
const LARGEST = 2_147_483_647;

let database: TestDatabase;
let intake: TestIntake;
let recogniser: Recogniser;
let clusters = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  recogniser = await bundledRecogniser();
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

interface Told {
  uid?: string;
  object?: object;
  message?: string;
  component?: string;
  host?: string;
  count?: number;
  first?: string;
  last?: string;
  type?: string;
}

/** Delivers events as they come off the wire, one batch after the other, and returns the incidents. */
async function take(...batches: Told[][]): Promise<Awaited<ReturnType<TestIntake['state']>>> {
  const cluster = await intake.cluster(`extreme-${clusters++}`);
  for (const batch of batches) {
    const values = batch.map(
      ({
        uid = 'u',
        object = {},
        message,
        component = 'kubelet',
        host,
        count = 1,
        first,
        last = '2026-03-01T10:00:00Z',
        type = 'Warning',
      }) => ({
        kind: 'Event',
        metadata: { uid },
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', ...object },
        reason: 'Failed',
        message,
        type,
        source: { component, host },
        count,
        firstTimestamp: first ?? last,
        lastTimestamp: last,
      }),
    );
    const { events, rejected } = readValues(values, { now: NOW });
    expect(rejected).toEqual([]);
    await intake.push(
      cluster,
      events.map(({ event }) => recognise(recogniser, event, 'kubernetes')),
      NOW,
    );
  }
  return intake.state(cluster);
}

/** Text of three bytes a character that compression does not shorten. */
const han = (length: number, seed: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919 + seed * 104_729) % 20_000))).join('');
const pullFailed =
  'Failed to pull image "a:b": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/a:b": docker.io/a:b: not found';
const condition = (name: string, value: string): string => `Node condition ${name} is now: ${value}, reason: Any`;

describe('accepted, however unusual', () => {
  it('the longest names there may be, of characters of three bytes, with what ends them', async () => {
    const object = { kind: han(256, 1), namespace: han(256, 2), name: han(256, 3), fieldPath: `spec.containers{${han(230, 4)}}` };
    const pod = { ...object, kind: 'Pod' };
    const node = { ...object, kind: 'Node' };
    const common = { component: han(256, 5), host: han(256, 6) };
    const incidents = await take([
      { ...common, uid: han(256, 7), object, message: han(65_536, 8) },
      { ...common, uid: han(256, 9), object: pod, message: pullFailed, component: 'kubelet' },
      { ...common, uid: han(256, 10), object: node, message: condition(han(600, 11), 'True') },
      { ...common, uid: han(256, 12), object: node, message: condition(han(600, 11), 'False'), type: 'Normal' },
    ]);
    expect(incidents.map(({ problem, status }) => `${problem} ${status}`)).toEqual([
      'kubernetes/image/not-found open',
      'kubernetes/node/problem-detected resolved',
    ]);
  });

  it.each([0, 1])('names and captured texts that are cut where a character takes two units (%i)', async (shift) => {
    const long = 'a'.repeat(shift) + '😀'.repeat(120);
    const incidents = await take([
      { uid: 'a', object: { namespace: 'n'.repeat(250), name: long }, message: pullFailed },
      { uid: 'b', object: { kind: 'Node', name: 'node-1' }, message: condition('a'.repeat(shift) + '😀'.repeat(600), 'True') },
    ]);
    expect(incidents).toHaveLength(2);
  });

  it('the largest counts, told again smaller', async () => {
    const told = (uid: string, count: number): Told => ({ uid, message: pullFailed, count, first: '2026-03-01T09:00:00Z' });
    const incidents = await take(
      [told('a', LARGEST), told('b', LARGEST), told('c', LARGEST)],
      [told('a', 5)],
      [told('d', 1)],
      [told('d', LARGEST)],
    );
    expect(incidents).toMatchObject([{ occurrences: 4 * LARGEST }]);
  });

  it('the earliest and the latest times, no namespace, no object', async () => {
    const incidents = await take([
      { uid: 'a', message: pullFailed, first: '2014-01-01T00:00:00Z', last: '2026-03-06T00:00:00Z', count: 7 },
      { uid: 'b', object: { namespace: '' }, message: pullFailed },
      {
        uid: 'c',
        object: { kind: '', namespace: '', name: '' },
        message: 'PLEG is not healthy: pleg was last seen active 3m5s ago; threshold is 3m0s',
        host: 'node-1',
      },
    ]);
    expect(incidents.map(({ subject, occurrences, first }) => `${subject} ${occurrences} ${new Date(first).getUTCFullYear()}`)).toEqual(
      expect.arrayContaining(['Pod/shop/web 7 2014', 'Pod//web 1 2026']),
    );
  });
});

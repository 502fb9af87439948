import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { readValues } from '../../src/events/read-body.js';
import type { Delivery } from '../../src/incidents/delivery.js';
import { objectKey } from '../../src/incidents/object-key.js';
import { extendTimeline, comesInOrder } from '../../src/incidents/timeline.js';
import { recognise } from '../../src/pipeline/recognise.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { PartitionRepository } from '../../src/store/partition.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import { bundledRecogniser } from '../support/story.js';
import { TestIntake } from '../support/stream.js';

const MIN = 60_000, DAY = 86_400_000;
const START = Date.parse('2026-03-01T10:30:00Z');
const NOW = START + 2 * DAY;
let database: TestDatabase; let intake: TestIntake; let recogniser: Recogniser; let n = 0;
beforeAll(async () => { database = await createTestDatabase(); intake = new TestIntake(database.url); recogniser = await bundledRecogniser(); });
afterAll(async () => { await intake.close(); await database.drop(); });

function del(o: { uid: string; at?: number; first?: number; count?: number; problem?: string | null; quiet?: number | null; expects?: string[]; message?: string; signal?: string; timed?: boolean; kind?: string; ns?: string; name?: string; container?: string; owner?: {kind: string; name: string}; captured?: Record<string,string>; deleted?: boolean }): Delivery {
  const at = o.at ?? START;
  const event: ClusterEvent = { uid: o.uid, reason: 'Test', message: o.message ?? 'm', type: 'Warning', reporter: 'kubelet', host: '', object: { kind: o.kind ?? 'Service', namespace: o.ns ?? 'shop', name: o.name ?? 'web', uid: '', container: o.container ?? '', ...(o.owner && { owner: o.owner }) }, count: o.count ?? 1, firstAt: o.first ?? at, lastAt: at, timed: o.timed ?? true };
  const signals = o.signal ? [{ objectKey: objectKey(event), container: o.container ?? '', token: o.signal, at }] : [];
  if (o.problem === null || (o.signal && o.problem === undefined)) return { event, signals };
  const id = o.problem ?? 'kubernetes/test/p';
  return { event, signals, sighted: { id, provider: 'kubernetes', code: null, severity: 'error', container: '', ending: { quiet: o.quiet === undefined ? null : o.quiet, settle: 0 }, expects: o.expects ?? ['done'], diagnosis: { problem: id, confidence: 0.9, matchedOn: 'x', captured: o.captured ?? {} } } };
}
async function play(...batches: Delivery[][]) {
  const c = await intake.cluster(`c${n++}`);
  for (const b of batches) await intake.push(c, b, NOW);
  await intake.settle(c, NOW);
  return { incidents: await intake.state(c), rollups: await intake.rollups(c) };
}
async function events(c: number) { return intake.database.rows('SELECT uid, count, message, extract(epoch from first_at)*1000 as f FROM event WHERE cluster_id=$1 ORDER BY uid', c); }

describe('probes', () => {
  it('P1 same instant: sighting told after clear of same second', async () => {
    const a = del({ uid: 'a', at: START }), c = del({ uid: 'c', at: START + MIN, signal: 'done' }), b = del({ uid: 'b', at: START + MIN });
    expect(await play([a], [c], [b])).toEqual(await play([a, c, b]));
  });
  it('P1b poison: many in the same second', async () => {
    const c = (i: number) => del({ uid: 'c' + i, at: START, signal: 'done', container: 'x' + i });
    await play([del({ uid: 'a' })], [c(1)], [del({ uid: 'b' })], [c(2)], [del({ uid: 'd' })], [c(3)], [del({ uid: 'e' })]);
  });
  it('P2 deleted flag on a repeat', async () => {
    const a = del({ uid: 'a' }); const gone = { ...del({ uid: 'a' }), signals: [{ objectKey: objectKey(a.event), container: '', token: '@gone', at: START }] };
    expect(await play([a], [gone])).toEqual(await play([gone], [a]));
  });
  it('P3 captured tokens', async () => {
    const a = del({ uid: 'a', at: START, expects: ['A'], captured: { c: 'A' } }), b = del({ uid: 'b', at: START + MIN, expects: ['B'], captured: { c: 'B' } }), fa = del({ uid: 'f', at: START + 2 * MIN, signal: 'A' });
    expect(await play([a], [b], [fa])).toEqual(await play([b], [a], [fa]));
  });
  it('P4 different first timestamps', async () => {
    const a = del({ uid: 'a', at: START, first: START - MIN, count: 3 }), b = del({ uid: 'a', at: START, first: START - 2 * MIN, count: 3 });
    const c1 = await intake.cluster(`e${n++}`), c2 = await intake.cluster(`e${n++}`);
    await intake.push(c1, [a], NOW); await intake.push(c1, [b], NOW); await intake.push(c2, [b], NOW); await intake.push(c2, [a], NOW);
    expect(await events(c1)).toEqual(await events(c2));
  });
  it('P4b different messages, same count', async () => {
    const a = del({ uid: 'a', message: 'x', captured: { a: '1' } }), b = del({ uid: 'a', message: 'y', captured: { a: '2' } });
    expect(await play([a], [b])).toEqual(await play([b], [a]));
  });
  it('P5 untimed repeated in one batch', async () => {
    const a = del({ uid: 'a', timed: false, at: START }), b = del({ uid: 'a', timed: false, at: START + 5 * MIN });
    expect(await play([a, b])).toEqual(await play([a], [b]));
  });
  it('P6 problem of one uid changes', async () => {
    const d = [del({ uid: 'a', count: 1, problem: 'kubernetes/test/p', quiet: 10 * MIN }), del({ uid: 'a', count: 5, first: START, at: START + 30 * MIN, problem: 'kubernetes/test/q', quiet: 10 * MIN }), del({ uid: 'a', count: 9, first: START, at: START + 60 * MIN, problem: 'kubernetes/test/p', quiet: 10 * MIN })];
    const whole = await play(d);
    expect(await play([d[2]!], [d[1]!], [d[0]!])).toEqual(whole);
    console.log(JSON.stringify(whole.incidents.map((i) => [i.problem, i.occurrences, i.first - START, i.episodes.map((e) => [e.start - START, e.end! - START])])));
  });
  it('P7 surrogate in key', async () => {
    const name = (k: number) => 'a'.repeat(k) + '😀'.repeat(100);
    for (const k of [0, 1]) await play([del({ uid: 'a', ns: 'n'.repeat(200), name: name(k) })]);
  });
  it('P7b surrogate in capture', async () => {
    for (const k of [0, 1]) {
      const message = `Node condition ${'x'.repeat(k)}${'😀'.repeat(400)} is now: True, reason: foo`;
      const { events: read } = readValues([{ kind: 'Event', metadata: { uid: 'u' }, involvedObject: { kind: 'Node', name: 'n' }, reason: 'X', message, lastTimestamp: new Date(START).toISOString() }], { now: NOW });
      const d = read.map(({ event }) => recognise(recogniser, event, 'kubernetes'));
      console.log(k, d[0]!.sighted?.id, d[0]!.sighted?.expects.map((t) => t.length), d[0]!.signals.length);
      await play(d);
    }
  });
  it('P8 longest index rows', async () => {
    const han = (k: number) => Array.from({ length: k }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919 + k * 31) % 20000))).join('');
    const { events: read } = readValues(['True', 'False'].map((w, i) => ({ kind: 'Event', metadata: { uid: 'u' + i + han(250) }, involvedObject: { kind: 'Node', name: han(256), namespace: han(256), fieldPath: `spec.containers{${han(230)}}` }, reason: 'X' + i, message: `Node condition ${han(600)} is now: ${w}`, lastTimestamp: new Date(START + i * MIN).toISOString(), source: { component: han(255), host: han(254) } })), { now: NOW });
    const d = read.map(({ event }) => recognise(recogniser, event, 'kubernetes'));
    console.log(d.map((x) => [x.sighted?.id, x.signals.map((s) => [s.token.length, s.container.length, s.objectKey.length])]));
    await play(d);
    const s = del({ uid: 'x' + han(250), kind: han(256), ns: han(255), name: han(254), container: han(230), signal: han(400) });
    await play([s]);
    await play([del({ uid: 'y' + han(250), kind: han(256), ns: han(255), name: han(254), container: han(230) })]);
  });
  it('P9 overflow', async () => {
    const big = 2147483647;
    const d = [1, 2, 3, 4].map((i) => del({ uid: 'big' + i, count: big, first: START - 1000, at: START }));
    const whole = await play(d);
    expect(whole.incidents[0]!.occurrences).toBe(4 * big);
    expect(await play([d[0]!], [del({ uid: 'big1', count: 5, first: START - 1000, at: START - 500 })], d.slice(1))).toMatchObject({ incidents: [{ occurrences: 4 * big }] });
  });
  it('P10 owner unknown: head diagnosis from another object', async () => {
    const a = del({ uid: 'a', kind: 'Pod', name: 'ops-bbbbb', at: START, captured: { w: 'a' } });
    const b = del({ uid: 'b', kind: 'Pod', name: 'ops-ccccc', at: START + MIN, captured: { w: 'b' } });
    const ao = del({ uid: 'a', kind: 'Pod', name: 'ops-bbbbb', at: START, captured: { w: 'a' }, owner: { kind: 'Operator', name: 'real' } });
    expect(await play([a], [b], [ao])).toEqual(await play([ao], [b], [a]));
  });
});
describe('retention', () => {
  it('R1 late delivery into a dropped day wipes known periods', async () => {
    const parts = new PartitionRepository(intake.database);
    await parts.maintain(3650, new Date('2026-03-01T00:30:00Z'));
    const c = await intake.cluster('r1');
    // three failures in the early days
    for (const d of [0, 1, 2]) { await intake.push(c, [del({ uid: `x${d}`, at: START + d * DAY })], START + d * DAY); await intake.push(c, [del({ uid: `y${d}`, at: START + d * DAY + MIN, signal: 'done' })], START + d * DAY + MIN); }
    const before = await intake.state(c);
    const later = START + 100 * DAY;
    await parts.maintain(90, new Date(later));
    expect((await intake.state(c))[0]!.episodes).toEqual(before[0]!.episodes);
    // A long-lived Event whose firstTimestamp is older than what is kept
    await intake.push(c, [del({ uid: 'long', first: START - DAY, at: later, count: 500 })], later);
    console.log(JSON.stringify((await intake.state(c))[0]!.episodes.map((e) => [(e.start - START) / DAY, e.end && (e.end - START) / DAY])));
    expect((await intake.state(c))[0]!.episodes.length).toBeGreaterThanOrEqual(4);
  });
  it('R2 negative growth in rollups', async () => {
    const parts = new PartitionRepository(intake.database);
    const c = await intake.cluster('r2');
    const later = START + 100 * DAY;
    await intake.push(c, [del({ uid: 'e', first: START, at: START + MIN, count: 8 })], START + DAY);
    await intake.push(c, [del({ uid: 'e', first: START, at: later, count: 10 })], later);
    await parts.maintain(90, new Date(later));
    await intake.push(c, [del({ uid: 'e', first: START, at: START + 1, count: 3 })], later);
    console.log(await intake.rollups(c), (await intake.state(c))[0]!.occurrences);
    for (const r of await intake.rollups(c) as any[]) expect(r.occurrences).toBeGreaterThan(0);
  });
  it('R3 old delivery repeated after retention', async () => {
    const parts = new PartitionRepository(intake.database);
    const c = await intake.cluster('r3');
    const later = START + 100 * DAY;
    await intake.push(c, [del({ uid: 'e', at: START, count: 8 })], later);
    await parts.maintain(90, new Date(later));
    await intake.push(c, [del({ uid: 'e', at: START, count: 8 })], later);
    expect((await intake.state(c))[0]!.occurrences).toBe(8);
  });
  it('R4 Event alive longer than retention stays among the events', async () => {
    const parts = new PartitionRepository(intake.database);
    const c = await intake.cluster('r4');
    for (let d = 0; d <= 100; d += 10) { await intake.push(c, [del({ uid: 'e', first: START, at: START + d * DAY, count: 1 + d })], START + d * DAY); await parts.maintain(30, new Date(START + d * DAY)); }
    expect(await events(c)).toHaveLength(1);
  });
});

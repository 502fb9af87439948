import type { Delivery } from '../../src/incidents/delivery.js';
import { objectKey } from '../../src/incidents/object-key.js';
import type { ClusterEvent } from '../../src/events/cluster-event.js';

const START = Date.parse('2026-03-01T10:00:00Z');
const MINUTE = 60_000;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A small generator of numbers that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Deliveries of a busy cluster, the same in every run: failures and endings on a few hundred Pods, growing counts, and
 * about a fifth of repeats.
 */
export function sampleDeliveries(count: number): Delivery[] {
  const random = seededRandom(4711);
  const pick = (n: number): number => Math.floor(random() * n);
  const deliveries: Delivery[] = [];
  while (deliveries.length < count) {
    const again = deliveries.length > 0 && random() < 0.2 ? deliveries[pick(deliveries.length)] : undefined;
    deliveries.push(again ? grown(again, pick(3)) : fresh(deliveries.length, pick, random));
  }
  return deliveries;
}

function grown(delivery: Delivery, growth: number): Delivery {
  const { event } = delivery;
  return { ...delivery, event: { ...event, count: event.count + growth, lastAt: event.lastAt + growth * MINUTE } };
}

function fresh(i: number, pick: (n: number) => number, random: () => number): Delivery {
  const suffix = Array.from({ length: 5 }, () => ALPHABET[pick(3)]).join('');
  const name = `app${pick(5)}-6f9c7d8b5-${suffix}`;
  const at = START + pick(2_000) * MINUTE;
  const event: ClusterEvent = {
    uid: `event-${i}`,
    reason: 'Sample',
    message: `sample ${i}`,
    type: 'Warning',
    reporter: 'kubelet',
    host: 'node-1',
    object: { kind: 'Pod', namespace: `team-${pick(3)}`, name, uid: '', container: '' },
    count: 1,
    firstAt: at,
    lastAt: at,
    timed: true,
  };
  if (random() < 0.3) return { event, signals: [{ objectKey: objectKey(event), container: '', token: 'done', at }] };
  const id = `kubernetes/sample/p${pick(4)}`;
  const diagnosis = { problem: id, confidence: 0.9, matchedOn: 'sample', captured: {} };
  const ending = id.endsWith('3') ? { quiet: 30 * MINUTE, settle: 0 } : { quiet: null, settle: 0 };
  return {
    event,
    signals: [],
    sighted: { id, provider: 'kubernetes', code: null, severity: 'error', container: '', ending, expects: ['done'], diagnosis },
  };
}

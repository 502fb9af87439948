import { expect } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';

/** Fails unless an event keeps what `ClusterEvent` promises; `now` is the time of receipt. */
export function expectSound(event: ClusterEvent, now: number): void {
  const { uid, reason, message, type, reporter, host, object } = event;
  const words = [uid, reason, type, reporter, host, object.kind, object.namespace, object.name, object.uid, object.container];
  if (object.owner !== undefined) words.push(object.owner.kind, object.owner.name);
  for (const word of words) expect(word === word.trim() && word.length <= 256 && storable(word), word).toBe(true);
  expect(message.length <= 65_536 && storable(message)).toBe(true);
  expect(uid).not.toBe('');
  expect([true, undefined]).toContain(object.deleted);
  if (object.kind === 'Node') expect([object.namespace, object.uid]).toEqual(['', '']);
  expect(Number.isInteger(event.count) && event.count >= 1 && event.count <= 2_147_483_647).toBe(true);
  expect(Number.isInteger(event.firstAt) && Number.isInteger(event.lastAt) && event.firstAt <= event.lastAt).toBe(true);
  expect(event.firstAt >= Date.UTC(2014, 0, 1) && event.lastAt <= now + 86_400_000).toBe(true);
  if (!event.timed) expect(event.lastAt).toBe(now);
}

/** True for a text that PostgreSQL takes. */
export function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

import { describe, expect, it } from 'vitest';
import { readFlatEvent } from './read-flat-event.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const at = (time: string) => Date.parse(`2026-06-01T${time}Z`);

function read(source: Record<string, unknown>) {
  const found = readFlatEvent(source, now);
  if (found.type !== 'event') throw new Error(found.type === 'refusal' ? found.reason : found.type);
  return found.event;
}

describe('readFlatEvent', () => {
  it.each([
    { EventKind: 'Pod', EventNamespace: 'shop', EventObject: 'web-0', EventReason: 'Failed', EventMessage: 'm' },
    { kind: 'pod', namespace: 'shop', name: 'web-0', reason: 'Failed', message: 'm' },
    { event_kind: 'Pod', involved_object_namespace: 'shop', 'involvedObject.name': 'web-0', REASON: 'Failed', Text: 'm' },
    { objectKind: 'Pod', objectNamespace: 'shop', objectName: 'web-0', eventReason: 'Failed', note: 'm' },
  ])('knows the fields of %j', (source) => {
    expect(read(source)).toMatchObject({ reason: 'Failed', message: 'm', object: { kind: 'Pod', namespace: 'shop', name: 'web-0' } });
  });

  it.each([
    ['2026-06-01 19:30:00 +0800 CST', '11:30:00'],
    ['2026-06-01 11:30:00.5 +0000 UTC m=+1.25', '11:30:00.500'],
    ['2026-06-01T11:30:00Z', '11:30:00'],
    ['1780313400', '11:30:00'],
    [1780313400250, '11:30:00.250'],
  ])('reads the time %j', (EventTime, time) => {
    expect(read({ EventMessage: 'm', EventTime })).toMatchObject({ lastAt: at(time), firstAt: at(time), timed: true });
  });

  it.each(['0001-01-01 00:00:00 +0000 UTC', '', '<nil>', '<no value>', null])('takes %j for no time', (EventTime) => {
    expect(read({ EventMessage: 'm', EventTime })).toMatchObject({ lastAt: now, timed: false });
  });

  it('counts only where an update can be told from a new event', () => {
    const source = { reason: 'Failed', message: 'm', kind: 'Pod', name: 'web-0', count: '7', lastTimestamp: '2026-06-01T11:30:00Z' };
    expect(read(source).count).toBe(1);
    expect(read({ ...source, firstTimestamp: '2026-06-01T11:00:00Z' })).toMatchObject({ count: 7, firstAt: at('11:00:00') });
    expect(read({ ...source, uid: 'u-1' })).toMatchObject({ count: 7, uid: 'u-1' });
    expect(read({ ...source, name: 'web-0.17c2a5b1e8d0f3a4' })).toMatchObject({ count: 7, uid: 'name:/web-0.17c2a5b1e8d0f3a4' });
  });

  it("reads the object's name off the Event's own", () => {
    expect(read({ reason: 'Failed', message: 'm', kind: 'Pod', name: 'web-0.17c2a5b1e8d0f3a4', namespace: 'shop' })).toMatchObject({
      uid: 'name:shop/web-0.17c2a5b1e8d0f3a4',
      object: { name: 'web-0' },
    });
  });

  it('keys Nodes by name and takes no other word for the type', () => {
    const source = { kind: 'node', namespace: 'default', name: 'n-1', objectUid: 'n-1', reason: 'Rebooted', eventType: 'kubernetes-event' };
    expect(read(source)).toMatchObject({ type: '', object: { kind: 'Node', namespace: '', name: 'n-1', uid: '' } });
  });

  it.each([
    [{ EventKind: 'Pod', EventType: 'Warning' }, 'an event was expected, but it has no reason and no message'],
    [{ EventReason: 'x', EventTime: 'yesterday' }, 'EventTime: "yesterday" is not an RFC 3339 time'],
    [{ EventReason: 'x', EventUid: 'u', EventCount: 'many' }, 'EventCount: "many" is not a whole number from 0 to 2147483647'],
    [{ EventReason: 'x'.repeat(257) }, 'EventReason: 257 characters are more than the 256 allowed'],
  ])('refuses %j', (source, reason) => {
    expect(readFlatEvent(source, now)).toEqual({ type: 'refusal', reason });
  });
});

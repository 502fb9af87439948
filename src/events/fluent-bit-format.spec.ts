import { describe, expect, it } from 'vitest';
import { fluentBitFormat } from './fluent-bit-format.js';
import { readBody, readValues } from './read-body.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const event = { involvedObject: { kind: 'Pod', name: 'web-0' }, metadata: { uid: 'u' }, reason: 'Failed', message: '{"a":1}' };

describe('fluentBitFormat', () => {
  it('dates an Event that has no time of its own by its record', () => {
    const [read] = readValues([{ date: 1780311600.75, ...event }], { now }).events;
    expect(read?.event).toMatchObject({ lastAt: Date.parse('2026-06-01T11:00:00.750Z'), timed: true, message: '{"a":1}' });
    const [iso] = readValues([{ date: '2026-06-01T11:00:00.000001Z', ...event }], { now }).events;
    expect(iso?.event).toMatchObject({ lastAt: Date.parse('2026-06-01T11:00:00Z'), timed: true });
  });

  it.each([1e300, -1, 0, 'yesterday', Number.MAX_SAFE_INTEGER])('does not believe the date %j', (date) => {
    expect(readValues([{ date, ...event }], { now }).events[0]?.event).toMatchObject({ lastAt: now, timed: false });
  });

  it('leaves an object with a date of its own to its own format', () => {
    expect(fluentBitFormat.recognises({ date: '2026', message: 'text' }, {})).toBe(false);
    expect(fluentBitFormat.recognises({ date: 1.5, reason: 'Failed', message: '{"a":1}' }, {})).toBe(false);
  });

  it('refuses a line that begins like JSON and is not', () => {
    expect(readValues([{ date: 1.5, log: '{"a":1}}' }], { now }).rejected).toEqual([
      { index: 0, reason: 'log: the text begins like JSON but is not' },
    ]);
  });

  it('says how to be sent JSON when it is sent MessagePack', () => {
    const headers = { 'content-type': 'application/msgpack' };
    expect(() => readBody(Uint8Array.from([0x92, 0x01, 0x80]), { now, headers })).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_SHAPE', message: expect.stringContaining('set "format json"') }),
    );
    expect(readBody(Buffer.from(JSON.stringify(event)), { now, headers }).events).toHaveLength(1);
  });
});

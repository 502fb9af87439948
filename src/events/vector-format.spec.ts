import { describe, expect, it } from 'vitest';
import { readValues } from './read-body.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const event = { involvedObject: { kind: 'Pod', name: 'web-0' }, metadata: { uid: 'u' }, reason: 'Failed', message: 'm' };
const wrapped = (message: unknown) => ({ source_type: 'file', host: 'h', timestamp: '2026-06-01T11:00:00Z', message });

describe('vectorFormat', () => {
  it('reads whatever format is in the line', () => {
    const inside = [event, [event], { kind: 'List', items: [event] }, { verb: 'ADDED', event }, wrapped(JSON.stringify(event))];
    for (const value of inside) {
      for (const format of ['vector', ''])
        expect(readValues([wrapped(JSON.stringify(value))], { now, format }).events.map((read) => read.event.uid)).toEqual(['u']);
    }
  });

  it("reads an Event that a transform has put beside Vector's fields as that Event", () => {
    expect(readValues([{ ...wrapped('m'), ...event }], { now }).events[0]?.event).toMatchObject({ uid: 'u', reporter: '', timed: false });
  });

  it('refuses a line that is nothing at all', () => {
    expect(readValues([wrapped('')], { now }).rejected).toHaveLength(1);
    expect(readValues([wrapped('[1]')], { now }).rejected).toEqual([{ index: 0, reason: '1 was found, an Event object was expected' }]);
  });
});

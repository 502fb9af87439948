import { describe, expect, it } from 'vitest';
import { anchorOf, placeInTime } from './place-in-time.js';

const REGISTERED = Date.parse('2026-03-01T10:00:00.512Z');
const HOUR = 3_600_000;

describe('anchorOf', () => {
  it('is the registration, in whole seconds, for a day', () => {
    const anchor = Date.parse('2026-03-01T10:00:00Z');
    expect(anchorOf(REGISTERED, REGISTERED)).toBe(anchor);
    expect(anchorOf(REGISTERED, REGISTERED + 24 * HOUR - 1)).toBe(anchor);
  });

  it('moves by whole days after that', () => {
    expect(anchorOf(REGISTERED, REGISTERED + 24 * HOUR)).toBe(Date.parse('2026-03-02T10:00:00Z'));
    expect(anchorOf(REGISTERED, REGISTERED + 75 * HOUR)).toBe(Date.parse('2026-03-04T10:00:00Z'));
  });

  it('takes a clock that is behind the database for the same day', () => {
    expect(anchorOf(REGISTERED, REGISTERED - 3 * HOUR)).toBe(Date.parse('2026-03-01T10:00:00Z'));
  });
});

describe('placeInTime', () => {
  const event = { metadata: { uid: 'demo-1', name: 'web.1' }, firstTimestamp: 'T-26h10m', lastTimestamp: 'T-5m', count: 3 };

  it('makes times absolute and gives the event an identity of its anchor', () => {
    expect(placeInTime(event, Date.parse('2026-03-02T10:00:00Z'))).toEqual({
      metadata: { uid: 'demo-1@2026-03-02T10:00:00Z', name: 'web.1' },
      firstTimestamp: '2026-03-01T07:50:00Z',
      lastTimestamp: '2026-03-02T09:55:00Z',
      count: 3,
    });
  });

  it('refuses what is no relative time', () => {
    expect(() => placeInTime({ ...event, lastTimestamp: '2026-03-02T10:00:00Z' }, 0)).toThrow('no time of a demo stream');
  });
});

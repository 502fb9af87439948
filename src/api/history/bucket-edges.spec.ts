import { describe, expect, it } from 'vitest';
import type { BucketSize } from './bucket-edges.js';
import { bucketEdges, edgeBefore } from './bucket-edges.js';
import { timeZoneOf } from './time-zone.js';

const iso = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');

function edges(size: BucketSize, zone: string, from: string, to: string): string[] {
  return bucketEdges(size, timeZoneOf(zone), Date.parse(from), Date.parse(to)).map(iso);
}

function lengths(size: BucketSize, zone: string, from: string, to: string): number[] {
  const all = bucketEdges(size, timeZoneOf(zone), Date.parse(from), Date.parse(to));
  return all.slice(1).map((edge, i) => (edge - all[i]!) / 3_600_000);
}

describe('bucketEdges', () => {
  it('covers the range with whole buckets', () => {
    expect(edges('day', 'UTC', '2026-03-01T10:00:00Z', '2026-03-03T00:00:00Z')).toEqual([
      '2026-03-01T00:00Z',
      '2026-03-02T00:00Z',
      '2026-03-03T00:00Z',
    ]);
    expect(edges('hour', 'UTC', '2026-03-01T10:59:59Z', '2026-03-01T11:00:01Z')).toEqual([
      '2026-03-01T10:00Z',
      '2026-03-01T11:00Z',
      '2026-03-01T12:00Z',
    ]);
  });

  it('makes days of 23 and 25 hours where clocks change', () => {
    expect(lengths('day', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([24, 23, 24]);
    expect(lengths('day', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([24, 25, 24]);
    expect(edges('day', 'America/New_York', '2026-03-08T12:00:00Z', '2026-03-08T13:00:00Z')).toEqual([
      '2026-03-08T05:00Z',
      '2026-03-09T04:00Z',
    ]);
    expect(lengths('day', 'America/New_York', '2026-11-01T12:00:00Z', '2026-11-01T13:00:00Z')).toEqual([25]);
  });

  it('begins a day whose midnight does not exist at the end of the jump', () => {
    // Cairo: clocks went from 00:00 to 01:00 on 2026-04-24, as every last Friday of April.
    expect(edges('day', 'Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-24T13:00:00Z')).toEqual([
      '2026-04-23T22:00Z',
      '2026-04-24T21:00Z',
    ]);
    expect(lengths('day', 'Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-24T13:00:00Z')).toEqual([23]);
  });

  it('has no bucket for a day that a zone skipped', () => {
    // Samoa went over the date line at the end of 2011-12-29; there was no 2011-12-30.
    expect(edges('day', 'Pacific/Apia', '2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z')).toEqual([
      '2011-12-29T10:00Z',
      '2011-12-30T10:00Z',
      '2011-12-31T10:00Z',
      '2012-01-01T10:00Z',
    ]);
  });

  it('follows zones whose offset is no whole hour', () => {
    expect(edges('day', 'Asia/Kolkata', '2026-03-01T00:00:00Z', '2026-03-01T12:00:00Z')).toEqual([
      '2026-02-28T18:30Z',
      '2026-03-01T18:30Z',
    ]);
    expect(edges('day', 'Asia/Kathmandu', '2026-03-01T00:00:00Z', '2026-03-01T12:00:00Z')).toEqual([
      '2026-02-28T18:15Z',
      '2026-03-01T18:15Z',
    ]);
    expect(edges('hour', 'Asia/Kathmandu', '2026-03-01T00:00:00Z', '2026-03-01T00:30:00Z')).toEqual([
      '2026-02-28T23:15Z',
      '2026-03-01T00:15Z',
      '2026-03-01T01:15Z',
    ]);
  });

  it('gives the repeated hour two buckets, and the hour that is left out none', () => {
    expect(lengths('hour', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T03:00:00Z')).toEqual([1, 1, 1]);
    expect(edges('hour', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T02:00:00Z')).toEqual([
      '2026-03-29T00:00Z',
      '2026-03-29T01:00Z',
      '2026-03-29T02:00Z',
    ]);
  });

  it('gets back to whole hours where clocks move by half an hour', () => {
    expect(lengths('hour', 'Australia/Lord_Howe', '2026-10-03T14:30:00Z', '2026-10-03T17:00:00Z')).toEqual([1, 0.5, 1]);
  });

  it('begins weeks on Monday', () => {
    expect(edges('week', 'UTC', '2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z')).toEqual([
      '2026-02-23T00:00Z',
      '2026-03-02T00:00Z',
      '2026-03-09T00:00Z',
    ]);
    expect(edges('week', 'Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-29T11:00:00Z')).toEqual([
      '2026-03-22T23:00Z',
      '2026-03-29T22:00Z',
    ]);
  });
});

describe('edgeBefore', () => {
  it('goes back by days of the calendar, not by 24 hours', () => {
    const zone = timeZoneOf('Europe/Berlin');
    expect(iso(edgeBefore('day', zone, Date.parse('2026-03-29T22:00:00Z'), 1))).toBe('2026-03-28T23:00Z');
    expect(iso(edgeBefore('week', zone, Date.parse('2026-03-29T22:00:00Z'), 2))).toBe('2026-03-15T23:00Z');
    expect(iso(edgeBefore('hour', zone, Date.parse('2026-03-29T01:00:00Z'), 3))).toBe('2026-03-28T22:00Z');
  });
});

describe('timeZoneOf', () => {
  it('knows the names of the IANA database, old ones and other letter case included', () => {
    const at = Date.parse('2026-07-01T00:00:00Z');
    expect(timeZoneOf('Asia/Calcutta').offsetAt(at)).toBe(5.5 * 3_600_000);
    expect(timeZoneOf('Asia/Kolkata').offsetAt(at)).toBe(5.5 * 3_600_000);
    expect(timeZoneOf('europe/berlin').offsetAt(at)).toBe(2 * 3_600_000);
    expect(timeZoneOf('UTC').offsetAt(at)).toBe(0);
    expect(timeZoneOf('America/St_Johns').offsetAt(at)).toBe(-2.5 * 3_600_000);
  });

  it.each(['Europe/Berln', '+02:00', '', "UTC'; DROP TABLE cluster", 'x'.repeat(1000), '\0'])('refuses %j', (name) => {
    expect(() => timeZoneOf(name)).toThrow(/is not in the IANA time zone database/);
  });

  it('names the nearest one', () => {
    expect(() => timeZoneOf('Europe/Berln')).toThrow('did you mean Europe/Berlin?');
  });
});

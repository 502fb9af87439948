import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from './cluster-event.js';
import { readKubernetesEvent } from './read-kubernetes-event.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const involvedObject = { kind: 'Pod', namespace: 'shop', name: 'web-0' };

function read(fields: Record<string, unknown>): ClusterEvent {
  const found = readKubernetesEvent({ involvedObject, reason: 'Failed', ...fields }, now);
  if (found.type !== 'event') throw new Error(`no event: ${JSON.stringify(found)}`);
  return found.event;
}

function refusal(fields: Record<string, unknown>): string {
  const found = readKubernetesEvent({ involvedObject, reason: 'Failed', ...fields }, now);
  if (found.type !== 'refusal') throw new Error(`no refusal: ${JSON.stringify(found)}`);
  return found.reason;
}

describe('readKubernetesEvent', () => {
  describe('time', () => {
    const times: Record<string, unknown> = {
      series: { lastObservedTime: '2026-06-01T10:05:00.000001Z' },
      lastTimestamp: '2026-06-01T10:04:00Z',
      eventTime: '2026-06-01T10:03:00.000000Z',
      firstTimestamp: '2026-06-01T10:02:00Z',
      metadata: { creationTimestamp: '2026-06-01T10:01:00Z' },
    };

    it('takes the latest happening from the first field that has one, in the order of their worth', () => {
      const left = { ...times };
      for (const [field, minute] of [
        ['series', 5],
        ['lastTimestamp', 4],
        ['eventTime', 3],
        ['firstTimestamp', 2],
        ['metadata', 1],
      ]) {
        expect(read(left)).toMatchObject({ lastAt: Date.parse(`2026-06-01T10:0${minute}:00Z`), timed: true });
        delete left[String(field)];
      }
      expect(read(left)).toMatchObject({ lastAt: now, firstAt: now, timed: false });
    });

    it('takes the first happening from firstTimestamp, eventTime, creationTimestamp, else from the latest', () => {
      const left = { ...times };
      for (const [field, minute] of [
        ['firstTimestamp', 2],
        ['eventTime', 3],
        ['metadata', 1],
        ['lastTimestamp', 5],
      ]) {
        expect(read(left).firstAt).toBe(Date.parse(`2026-06-01T10:0${minute}:00Z`));
        delete left[String(field)];
      }
    });

    it('never lets the first happening be later than the latest', () => {
      const event = read({ firstTimestamp: '2026-06-01T11:00:00Z', lastTimestamp: '2026-06-01T10:00:00Z' });
      expect([event.firstAt, event.lastAt]).toEqual([event.lastAt, Date.parse('2026-06-01T10:00:00Z')]);
    });

    it.each([null, '', '0001-01-01T00:00:00Z', undefined])('takes %j for no time', (absent) => {
      const event = read({ lastTimestamp: absent, firstTimestamp: absent, eventTime: '2026-06-01T10:00:00+02:00' });
      expect(event).toMatchObject({ lastAt: Date.parse('2026-06-01T08:00:00Z'), timed: true });
    });

    it('takes the Date objects of client libraries', () => {
      expect(read({ lastTimestamp: new Date(now - 1_000) }).lastAt).toBe(now - 1_000);
    });

    it('takes a clock that is a day ahead', () => {
      expect(read({ lastTimestamp: '2026-06-02T12:00:00Z' }).lastAt).toBe(now + 86_400_000);
    });

    it.each([
      ['lastTimestamp', 'yesterday', 'lastTimestamp: "yesterday" is not an RFC 3339 time'],
      ['lastTimestamp', 1780315200, 'lastTimestamp: 1780315200 is not an RFC 3339 time'],
      ['firstTimestamp', '0000-01-01T00:00:00Z', 'firstTimestamp: "0000-01-01T00:00:00Z" is before 2014-01-01'],
      ['eventTime', '2013-12-31T23:59:59Z', 'eventTime: "2013-12-31T23:59:59Z" is before 2014-01-01'],
      ['lastTimestamp', '9999-12-31T23:59:59Z', 'lastTimestamp: "9999-12-31T23:59:59Z" is more than 24 h in the future'],
      [
        'deprecatedLastTimestamp',
        '2026-06-02T12:00:00.001Z',
        'deprecatedLastTimestamp: "2026-06-02T12:00:00.001Z" is more than 24 h in the future',
      ],
      ['deprecatedFirstTimestamp', {}, 'deprecatedFirstTimestamp: an object is not an RFC 3339 time'],
      ['lastTimestamp', new Date(NaN), 'lastTimestamp: an object is not an RFC 3339 time'],
      ['series', { lastObservedTime: 'x' }, 'series.lastObservedTime: "x" is not an RFC 3339 time'],
      ['metadata', { creationTimestamp: [] }, 'metadata.creationTimestamp: an array is not an RFC 3339 time'],
    ])('refuses %s %j', (field, value, reason) => {
      expect(refusal({ [field]: value })).toBe(reason);
    });
  });

  describe('count', () => {
    it.each([
      [{}, 1],
      [{ count: null }, 1],
      [{ count: 0 }, 1],
      [{ count: 7 }, 7],
      [{ count: 2_147_483_647 }, 2_147_483_647],
      [{ deprecatedCount: 4 }, 4],
      [{ series: { count: 9 }, eventTime: '2026-06-01T10:00:00Z' }, 9],
      [{ count: 3, series: { count: 9 } }, 9],
      [{ count: 12, series: { count: 9 } }, 12],
      [{ count: 12, series: null }, 12],
    ])('of %j is %i', (fields, count) => {
      expect(read(fields).count).toBe(count);
    });

    it.each([
      [{ count: -1 }, 'count: -1 is not a whole number from 0 to 2147483647'],
      [{ count: 1.5 }, 'count: 1.5 is not a whole number from 0 to 2147483647'],
      [{ count: 2_147_483_648 }, 'count: 2147483648 is not a whole number from 0 to 2147483647'],
      [{ count: Infinity }, 'count: Infinity is not a whole number from 0 to 2147483647'],
      [{ count: '3' }, 'count: "3" is not a whole number from 0 to 2147483647'],
      [{ series: { count: true } }, 'series.count: true is not a whole number from 0 to 2147483647'],
      [{ deprecatedCount: [] }, 'deprecatedCount: an array is not a whole number from 0 to 2147483647'],
    ])('refuses %j', (fields, reason) => {
      expect(refusal(fields)).toBe(reason);
    });
  });

  describe('reporter and host', () => {
    it.each([
      [{ source: { component: 'a' }, reportingComponent: 'b', reportingController: 'c' }, 'a'],
      [{ source: {}, reportingComponent: 'b', reportingController: 'c' }, 'b'],
      [{ source: null, reportingComponent: '', reportingController: 'c', deprecatedSource: { component: 'd' } }, 'c'],
      [{ deprecatedSource: { component: 'd' } }, 'd'],
      [{}, ''],
    ])('of %j is %j', (fields, reporter) => {
      expect(read(fields).reporter).toBe(reporter);
    });

    it.each([
      [{ source: { host: 'node-1' }, deprecatedSource: { host: 'node-2' } }, 'node-1'],
      [{ deprecatedSource: { host: 'node-2' } }, 'node-2'],
      [{ reportingComponent: 'kubelet', reportingInstance: 'node-3.example' }, 'node-3.example'],
      [{ reportingComponent: 'kubelet', reportingInstance: 'No Node' }, ''],
      [{ reportingComponent: 'default-scheduler', reportingInstance: 'default-scheduler-node-3' }, ''],
    ])('host of %j is %j', (fields, host) => {
      expect(read(fields).host).toBe(host);
    });
  });

  describe('texts', () => {
    it('trims words and leaves the message as sent', () => {
      const event = read({ reason: ' BackOff\n', type: ' Warning ', message: ' two  spaces\n' });
      expect(event).toMatchObject({ reason: 'BackOff', type: 'Warning', message: ' two  spaces\n' });
    });

    it('replaces what PostgreSQL does not store: NUL and half surrogate pairs', () => {
      expect(read({ message: 'a\0b\ud83dc\ude00', reason: 'x\0' })).toMatchObject({
        message: 'a\ufffdb\ufffdc\ufffd',
        reason: 'x\ufffd',
      });
      expect(read({ message: '节点 😀' }).message).toBe('节点 😀');
    });

    it('reads note where there is no message', () => {
      expect(read({ note: 'n' }).message).toBe('n');
      expect(read({ note: 'n', message: 'm' }).message).toBe('m');
    });

    it('takes the longest texts allowed and refuses one character more', () => {
      expect(read({ message: 'm'.repeat(65_536), reason: 'r'.repeat(256) }).message).toHaveLength(65_536);
      expect(refusal({ message: 'm'.repeat(65_537) })).toBe('message: 65537 characters are more than the 65536 allowed');
      expect(refusal({ note: 'm'.repeat(65_537) })).toBe('note: 65537 characters are more than the 65536 allowed');
    });

    const long = 'x'.repeat(257);
    it.each([
      [{ reason: long }, 'reason'],
      [{ type: long }, 'type'],
      [{ source: { component: long } }, 'source.component'],
      [{ source: { host: long } }, 'source.host'],
      [{ reportingController: long }, 'reportingController'],
      [{ metadata: { uid: long } }, 'metadata.uid'],
      [{ metadata: { name: long } }, 'metadata.name'],
      [{ metadata: { namespace: long } }, 'metadata.namespace'],
      [{ involvedObject: { ...involvedObject, kind: long } }, 'involvedObject.kind'],
      [{ involvedObject: { ...involvedObject, name: long } }, 'involvedObject.name'],
      [{ involvedObject: { ...involvedObject, namespace: long } }, 'involvedObject.namespace'],
      [{ involvedObject: { ...involvedObject, uid: long } }, 'involvedObject.uid'],
    ])('refuses an overlong word (case %#)', (fields, path) => {
      expect(refusal(fields)).toBe(`${path}: 257 characters are more than the 256 allowed`);
    });
  });

  it.each([
    [{ message: 5 }, 'message: 5 is not a text'],
    [{ message: { a: 1 } }, 'message: an object is not a text'],
    [{ reason: ['x'] }, 'reason: an array is not a text'],
    [{ type: true }, 'type: true is not a text'],
    [{ metadata: 'x' }, 'metadata: "x" is not an object'],
    [{ metadata: { uid: 1 } }, 'metadata.uid: 1 is not a text'],
    [{ source: [] }, 'source: an array is not an object'],
    [{ source: { component: 1 } }, 'source.component: 1 is not a text'],
    [{ series: 1 }, 'series: 1 is not an object'],
    [{ involvedObject: 'Pod' }, 'involvedObject: "Pod" is not an object'],
    [{ involvedObject: null, regarding: 1 }, 'regarding: 1 is not an object'],
    [{ metadata: `${'y'.repeat(60)}z` }, `metadata: "${'y'.repeat(60)}…" is not an object`],
  ])('refuses wrong types: %j', (fields, reason) => {
    expect(refusal(fields)).toBe(reason);
  });

  it('refuses what says nothing at all', () => {
    const reason = 'an Event was expected, but there is no involvedObject, reason or message';
    expect(refusal({ involvedObject: undefined, reason: undefined })).toBe(reason);
    expect(refusal({ involvedObject: {}, reason: ' ', message: '' })).toBe(reason);
  });

  it('reads a log line, which has a message and no object', () => {
    const event = read({ involvedObject: undefined, reason: undefined, message: 'E4011' });
    expect(event.object).toEqual({ kind: '', namespace: '', name: '', uid: '', container: '' });
  });

  describe('uid', () => {
    const metadata = { namespace: 'shop', name: 'web-0.17a3' };

    it('is metadata.uid, else the name of the Event object', () => {
      expect(read({ metadata: { ...metadata, uid: 'u-1' } }).uid).toBe('u-1');
      expect(read({ metadata }).uid).toBe('name:shop/web-0.17a3');
      expect(read({ metadata: { ...metadata, uid: '' } }).uid).toBe('name:shop/web-0.17a3');
    });

    it('is a hash of the names where both are very long', () => {
      const long = read({ metadata: { namespace: 'n'.repeat(256), name: 'm'.repeat(256) } }).uid;
      expect(long).toMatch(/^name-hash:[0-9a-f]{32}$/);
    });

    it('is else a hash of the content that stays while count and latest time grow', () => {
      const fields = {
        message: 'm',
        firstTimestamp: '2026-06-01T10:00:00Z',
        lastTimestamp: '2026-06-01T10:00:00Z',
        count: 1,
      };
      const uid = read(fields).uid;
      expect(uid).toMatch(/^hash:[0-9a-f]{32}$/);
      expect(read({ ...fields, lastTimestamp: '2026-06-01T11:00:00Z', count: 5 }).uid).toBe(uid);
    });

    it.each([
      { reason: 'Other' },
      { message: 'n' },
      { type: 'Warning' },
      { source: { component: 'kubelet' } },
      { source: { host: 'node-1' } },
      { firstTimestamp: '2026-06-01T10:00:00Z' },
      { involvedObject: { ...involvedObject, kind: 'Job' } },
      { involvedObject: { ...involvedObject, namespace: 'shopweb-0', name: '' } },
      { involvedObject: { ...involvedObject, uid: 'u' } },
      { involvedObject: { ...involvedObject, fieldPath: 'spec.containers{app}' } },
    ])('differs with the content: %j', (change) => {
      expect(read({ message: 'm', ...change }).uid).not.toBe(read({ message: 'm' }).uid);
    });

    it('does not depend on the time of receipt', () => {
      const later = readKubernetesEvent({ involvedObject, reason: 'Failed' }, now + 60_000);
      expect(later).toMatchObject({ event: { uid: read({}).uid, lastAt: now + 60_000 } });
    });
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';
import { at, backOff, notReady } from '../support/fixture-events.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const bytesOf = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

function read(name: string, format?: string): ClusterEvent[] {
  const { events, rejected } = readBody(bytesOf(name), { now, ...(format !== undefined && { format }) });
  expect(rejected).toEqual([]);
  return events.map(({ event }) => event);
}

const { object: pod } = backOff;

describe('one Event through different senders', () => {
  it.each([
    ['eventrouter.syslog', 'eventrouter', 1],
    ['eventrouter-stdout.ndjson', 'eventrouter', 0],
    ['fluent-bit.json', 'fluent-bit', 0],
    ['fluent-bit.ndjson', 'fluent-bit', 0],
    ['vector-events.json', 'vector', 0],
    ['vector-lines.ndjson', 'vector', 0],
    ['kube-eventer-recommended.txt', 'kube-eventer', 0],
  ])('is the same event in %s, found out and asked for as %s', (name, format, index) => {
    expect(read(name)[index]).toEqual(backOff);
    expect(read(name, format)).toEqual(read(name));
  });

  it('is the same event as an EnhancedEvent, with its owner', () => {
    const owner = { kind: 'ReplicaSet', name: 'checkout-6d4b75cb6d' };
    const enhanced = { ...backOff, object: { ...pod, owner, deleted: true } };
    expect(read('event-exporter.json', 'kubernetes-event-exporter')).toEqual([enhanced]);
  });
});

describe('kube-eventer', () => {
  it('has no object but in a message that names it for certain', () => {
    const [event] = read('kube-eventer-default.txt');
    expect(event).toEqual({
      ...backOff,
      uid: expect.stringMatching(/^hash:/),
      reporter: '',
      host: '',
      object: { ...pod, container: '' },
      count: 1,
      firstAt: at('11:31:40'),
    });
  });

  it('is read although its line ends, backslashes and commas make it no JSON', () => {
    expect(() => JSON.parse(bytesOf('kube-eventer-broken.txt').toString())).toThrow(SyntaxError);
    for (const format of [undefined, 'kube-eventer']) {
      expect(read('kube-eventer-broken.txt', format)).toMatchObject([
        {
          reason: 'Failed',
          type: 'Warning',
          message: 'Error: failed to start container app: exec: C:\\app\\new.exe: not found\n\tin $PATH: unknown, {code: 127}',
          object: { kind: 'Pod', namespace: '', name: '' },
          lastAt: at('11:31:40'),
        },
      ]);
    }
  });

  it('tells of the object when its template does', () => {
    expect(read('kube-eventer-custom.txt')).toMatchObject([{ object: { kind: 'Pod', namespace: 'shop', name: pod.name }, count: 1 }]);
  });

  it('tells the same delivery twice with one identity, and a later one with another', () => {
    const text = bytesOf('kube-eventer-default.txt').toString();
    const uids = [text, text, text.replace('19:31:40', '19:36:40')].map(
      (body) => readBody(Buffer.from(body), { now }).events[0]!.event.uid,
    );
    expect(uids[0]).toBe(uids[1]);
    expect(uids[0]).not.toBe(uids[2]);
  });
});

describe('eventrouter', () => {
  it('reads every message of a body, whose lengths are in bytes', () => {
    expect(read('eventrouter.syslog')).toMatchObject([{ message: 'Größe überschritten: 容器' }, backOff, notReady]);
  });

  it('reads the messages without their lengths, and with wrong ones', () => {
    const text = bytesOf('eventrouter.syslog').toString();
    for (const body of [text.replaceAll(/^\d+ /gm, ''), text.replaceAll(/^\d+ /gm, '7 '), text.replaceAll(/^\d+ /gm, '99999999 ')]) {
      expect(readBody(Buffer.from(body), { now })).toEqual(readBody(bytesOf('eventrouter.syslog'), { now }));
    }
  });

  it('reads messages whose lengths are all that parts them', () => {
    const text = bytesOf('eventrouter.syslog').toString().replaceAll('\n', '');
    expect(readBody(Buffer.from(text), { now }).events).toHaveLength(3);
  });

  it('refuses only the message that is broken', () => {
    const [first, , third] = bytesOf('eventrouter.syslog').toString().split('\n');
    const body = `${first}\n12 <24>1 - oops\n<24>1 - - - - - - plain text\n${third}\n`;
    const { events, rejected } = readBody(Buffer.from(body), { now });
    expect(events.map(({ index }) => index)).toEqual([0, 3]);
    expect(rejected).toEqual([
      { index: 1, reason: 'syslog message 2 does not begin as RFC 5424 says' },
      { index: 2, reason: 'syslog message 3 holds no JSON; eventrouter writes {"verb","event"}' },
    ]);
  });

  it('loses only the message whose bytes are not UTF-8', () => {
    const bytes = Buffer.from(bytesOf('eventrouter.syslog'));
    bytes[bytes.indexOf('Gr') + 2] = 0xff;
    const { events, rejected } = readBody(bytes, { now });
    expect(events.map(({ index }) => index)).toEqual([1, 2]);
    expect(rejected).toEqual([{ index: 0, reason: 'syslog message 1 is not UTF-8' }]);
  });
});

describe('kubewatch', () => {
  it('tells that an object is gone', () => {
    expect(read('kubewatch.json')).toEqual([
      {
        uid: expect.stringMatching(/^hash:/),
        reason: 'Deleted',
        message: '`prod` - A `Pod` in namespace `shop` has been `Deleted`:\n`checkout-6d4b75cb6d-x2x7p`',
        type: '',
        reporter: 'kubewatch',
        host: '',
        object: { ...pod, uid: '', container: '', deleted: true },
        count: 1,
        firstAt: at('11:31:40.123'),
        lastAt: at('11:31:40.123'),
        timed: true,
      },
    ]);
  });

  it('tells of a back-off in its older layout, under the name of the Event', () => {
    expect(read('kubewatch-message.json', 'kubewatch')).toMatchObject([
      {
        reason: 'BackOff',
        type: 'Warning',
        message: expect.stringContaining('CrashLoopBackOff'),
        object: { kind: 'Pod', namespace: 'shop', name: pod.name },
      },
    ]);
  });
});

describe('log shippers', () => {
  it("open another sender's line, and keep a line that is none", () => {
    expect(read('fluent-bit.ndjson')).toEqual([backOff, notReady]);
    expect(read('fluent-bit.json')).toEqual([backOff, notReady]);
    expect(read('vector-lines.ndjson')[1]).toMatchObject({
      message: 'oom-kill: constraint=CONSTRAINT_MEMCG',
      host: 'node-7',
      object: { kind: '', name: '' },
      lastAt: at('11:31:42'),
      timed: true,
    });
  });
});

describe("a layout of the event exporter's", () => {
  it('is read where its fields bear their usual names', () => {
    expect(read('event-exporter-layout.json')).toEqual([
      {
        ...backOff,
        uid: expect.stringMatching(/^hash:/),
        reporter: '',
        host: '',
        object: { ...pod, uid: '', container: '' },
        count: 1,
        lastAt: backOff.firstAt,
      },
    ]);
  });

  it('is read out of an object inside it', () => {
    expect(read('event-exporter-layout-nested.json', 'event-exporter')).toEqual([
      { ...backOff, uid: expect.stringMatching(/^hash:/), object: { ...pod, uid: '', container: '' }, lastAt: backOff.firstAt },
    ]);
  });
});

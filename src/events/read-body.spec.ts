import { describe, expect, it } from 'vitest';
import { readBody, readText, readValues } from './read-body.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const event = (name: string) => ({
  metadata: { uid: name },
  involvedObject: { kind: 'Pod', name },
  reason: 'Failed',
  message: 'm',
});
const bytes = (text: string) => new TextEncoder().encode(text);

function summary(text: string) {
  const { events, rejected } = readText(text, { now });
  return {
    events: events.map(({ index, event: { uid } }) => [index, uid]),
    rejected: rejected.map(({ index }) => index),
  };
}

describe('readBody', () => {
  it('reads bytes, text and values to the same result', () => {
    const values = [event('a'), { kind: 'Pod' }, { kind: 'List', items: [event('b'), 7] }];
    const expected = readValues(values, { now });
    expect(expected.events.map(({ index }) => index)).toEqual([0, 2]);
    expect(readText(JSON.stringify(values), { now })).toEqual(expected);
    expect(readBody(bytes(JSON.stringify(values)), { now })).toEqual(expected);
    expect(readBody(bytes(`\ufeff${JSON.stringify(values)}`), { now })).toEqual(expected);
  });

  it('counts positions over all elements of the flattened body', () => {
    const lines = [
      event('a'),
      { kind: 'List', items: [event('b'), null, event('c')] },
      [],
      { type: 'BOOKMARK', object: {} },
      { type: 'DELETED', object: event('d') },
      [[event('e')], { kind: 'EventList', items: null }, event('f')],
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(summary(`${text}\nbroken\n${JSON.stringify(event('g'))}`)).toEqual({
      events: [
        [0, 'a'],
        [1, 'b'],
        [3, 'c'],
        [5, 'd'],
        [6, 'e'],
        [8, 'f'],
        [10, 'g'],
      ],
      rejected: [2, 9],
    });
  });

  it('refuses elements that are no objects', () => {
    expect(readValues([1, 'x', null, true], { now }).rejected.map(({ reason }) => reason)).toEqual([
      '1 was found, an Event object was expected',
      '"x" was found, an Event object was expected',
      'null was found, an Event object was expected',
      'true was found, an Event object was expected',
    ]);
  });

  it('loses only the line whose bytes are not UTF-8', () => {
    const body = [...bytes(`${JSON.stringify(event('a'))}\n{"message":"`), 0xff, ...bytes(`"}\n${JSON.stringify(event('b'))}\n`)];
    const { events, rejected } = readBody(Uint8Array.from(body), { now });
    expect(events.map(({ index }) => index)).toEqual([0, 2]);
    expect(rejected).toEqual([{ index: 1, reason: 'line 2 is not UTF-8' }]);
  });

  it('cannot read a single object whose bytes are not UTF-8', () => {
    const body = Uint8Array.from([...bytes('{"message":"'), 0xff, ...bytes('"}')]);
    expect(() => readBody(body, { now })).toThrow(
      expect.objectContaining({
        code: 'NOT_UTF8',
        message: 'The body is not UTF-8: byte 12 begins no valid character. JSON in UTF-8 was expected.',
      }),
    );
  });

  it('cannot read an empty body', () => {
    expect(() => readBody(new Uint8Array(), { now })).toThrow(expect.objectContaining({ code: 'EMPTY_BODY' }));
  });

  it('reads a format that is asked for by name, and knows no others', () => {
    for (const format of ['kubernetes', 'kubernetes-event-exporter', ''])
      expect(readValues([event('a')], { now, format }).events).toHaveLength(1);
    expect(() => readValues([], { now, format: 'smoke' })).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_SHAPE',
        message: expect.stringMatching(
          /^format: "smoke" is not known; the formats are alertmanager, .*, kube-eventer, kubernetes, .*vector\.$/,
        ),
      }),
    );
  });

  it('lists the first 10,000 refusals and counts the others', () => {
    const { events, rejected } = readText(`[${'0,'.repeat(10_500)}${JSON.stringify(event('a'))}]`, { now });
    expect(events.map(({ index }) => index)).toEqual([10_500]);
    expect(rejected).toHaveLength(10_000);
    expect(rejected.at(-1)?.reason).toContain('(the last listed of 10500 refused elements)');
  });

  it.each([
    ['lines', '{}\n'.repeat(300_000)],
    ['broken lines', `{"a":1}\n${'{]\n'.repeat(300_000)}`],
    ['values', '{"a":1}'.repeat(300_000)],
    ['items', `[${'{},'.repeat(300_000)}{}]`],
  ])('refuses a body of hundreds of thousands of %s', (_, text) => {
    expect(() => readText(text, { now })).toThrow(expect.objectContaining({ name: 'UnreadableBodyError', code: 'TOO_MANY_ELEMENTS' }));
  });

  it('reads many pretty-printed objects, of more lines than elements are taken', () => {
    const pretty = `{"a": [\n${'1,\n'.repeat(50_000)}1], "reason": "x"}\n`;
    expect(readText(pretty.repeat(3), { now }).events).toHaveLength(3);
  });

  const deep = 1_000_000;
  it.each([
    ['open arrays', '['.repeat(deep)],
    ['arrays', '['.repeat(deep) + ']'.repeat(deep)],
    ['lists', '{"kind":"List","items":['.repeat(deep / 4) + ']}'.repeat(deep / 4)],
    ['watch lines', `${'{"type":"ADDED","object":'.repeat(deep / 4)}{}${'}'.repeat(deep / 4)}`],
    ['a message', `{"message":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['an involvedObject', `{"reason":"x","involvedObject":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}`],
  ])('reads or refuses, and survives, a million levels of %s', (_, text) => {
    try {
      const { events, rejected } = readText(text, { now });
      expect(events.length + rejected.length).toBeLessThanOrEqual(1);
    } catch (error) {
      expect(error).toMatchObject({ name: 'UnreadableBodyError', code: 'NOT_JSON' });
    }
  });

  it('is not taken in by keys that name prototypes', () => {
    const text =
      '{"__proto__":{"reason":"polluted"},"constructor":{"prototype":{"x":1}},"involvedObject":{"__proto__":{"kind":"Pod"},"name":"a"}}';
    const [first] = readText(text, { now }).events;
    expect(first?.event).toMatchObject({ reason: '', object: { kind: '', name: 'a' } });
    expect(({} as Record<string, unknown>).reason).toBeUndefined();
  });
});
